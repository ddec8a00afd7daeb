//! A part of a model that may be taken away.

use rustc_hash::FxHashSet;

use crate::conventions::Step;

/// What may be taken away from a model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The rule or edit in this place.
    Rule(usize),
    /// A step by which URLs are written as their site writes them.
    Step(Step),
}

impl Part {
    /// The places of rules or edits, and the steps.
    pub fn split<'p>(parts: impl Iterator<Item = &'p Self>) -> (FxHashSet<usize>, Vec<&'p Step>) {
        let (mut places, mut steps) = (FxHashSet::default(), Vec::new());
        for part in parts {
            match part {
                Self::Rule(place) => _ = places.insert(*place),
                Self::Step(step) => steps.push(step),
            }
        }
        (places, steps)
    }
}
