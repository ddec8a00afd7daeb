//! The targets, which the ordinary tests of undust run, too.

#[path = "../../tests/targets/mod.rs"]
pub mod targets;
