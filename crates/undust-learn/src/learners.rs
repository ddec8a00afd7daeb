//! The table of learners: a new one touches its own folder and this file.

pub mod dustbuster;
mod duster;
pub mod learner;
mod measure;
mod miqps;
mod rewrite;
mod tree;

pub use self::learner::Learner;

/// The published learners of rules, in the order of the tables of results.
pub static LEARNERS: [&Learner; 4] =
    [&rewrite::LEARNER, &tree::LEARNER, &dustbuster::LEARNER, &duster::LEARNER];

/// Those that propose to `auto`. What the others propose it has from elsewhere (docs/research/EXPERIMENTS.md).
pub(crate) static PROPOSERS: [&Learner; 2] = [&dustbuster::LEARNER, &duster::LEARNER];

/// A baseline from practice, which proposes nothing that dropping every name does not.
pub(crate) static MIQPS: &Learner = &miqps::LEARNER;
