//! The table of learners: a new one touches its own folder and this file.

use crate::rules::learner::Learner;
use crate::rules::{dustbuster, duster, rewrite, tree};

/// Every learner, in the order of the tables of results.
pub static LEARNERS: [&Learner; 4] =
    [&rewrite::LEARNER, &tree::LEARNER, &dustbuster::LEARNER, &duster::LEARNER];

/// The learner of this name.
pub(crate) fn named(name: &str) -> Option<&'static Learner> {
    LEARNERS.into_iter().find(|learner| learner.name == name)
}
