//! The gate: learners propose, the gate disposes.

pub(crate) mod dispose;
pub(crate) mod forms;
pub(crate) mod learn;
mod places;
pub(crate) mod replay;
pub(crate) mod tagged;
