//! Duplicate clusters become a model.

mod collisions;
pub mod config;
#[cfg(test)]
mod cost;
pub mod drift;
pub mod evaluate;
pub mod gate;
pub mod learners;
pub mod method;
pub mod observer;
pub mod simulate;
pub mod tagger;
pub mod train;
pub mod training;
pub mod translator;
