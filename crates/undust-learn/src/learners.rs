//! The table of learners: a new one touches its own folder and this file.

pub mod dustbuster;
mod duster;
pub mod learner;
mod measure;
mod rewrite;
mod tree;

pub use self::learner::Learner;

/// Every learner, in the order of the tables of results.
pub static LEARNERS: [&Learner; 4] =
    [&rewrite::LEARNER, &tree::LEARNER, &dustbuster::LEARNER, &duster::LEARNER];
