//! The gate: learners propose, the gate disposes.

pub(crate) mod dispose;
pub(crate) mod forms;
mod hubs;
pub(crate) mod learn;
pub(crate) mod replay;
pub(crate) mod tagged;
