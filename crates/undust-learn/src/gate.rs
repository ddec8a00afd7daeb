//! The gate: learners propose, the gate selects.

mod budget;
mod forms;
pub mod learn;
pub mod propose;
mod reach;
mod replay;
pub mod rows;
pub(crate) mod select_edits;
mod widen;
