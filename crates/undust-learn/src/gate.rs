//! The gate: learners propose, the gate selects.

pub(crate) mod answered;
mod budget;
mod forms;
pub mod learn;
pub mod propose;
mod reach;
mod replay;
mod revise;
pub mod rows;
pub(crate) mod select_edits;
mod varying;
mod widen;
