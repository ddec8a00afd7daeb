//! The gate: learners propose, the gate disposes.

mod budget;
#[cfg(test)]
mod diff_tests;
mod forms;
pub mod learn;
pub mod propose;
mod replay;
mod restrict_to_observed;
pub mod rows;
mod select_edits;
mod tagged;
mod widen;
