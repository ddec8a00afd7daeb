//! An operation of a model, by where it is, so that it may be taken away.

use rustc_hash::FxHashSet;

use undust_edits::conventions::NormalizationStep;

/// Which operation of a model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperationRef {
    /// The rule or edit in this place.
    RuleOrEdit(usize),
    /// A step by which URLs are written as their site writes them.
    Normalization(NormalizationStep),
}

impl OperationRef {
    /// The places of rules or edits, and the steps.
    pub fn split<'r>(
        operations: impl Iterator<Item = &'r Self>,
    ) -> (FxHashSet<usize>, Vec<&'r NormalizationStep>) {
        let (mut places, mut steps) = (FxHashSet::default(), Vec::new());
        for operation in operations {
            match operation {
                Self::RuleOrEdit(place) => _ = places.insert(*place),
                Self::Normalization(step) => steps.push(step),
            }
        }
        (places, steps)
    }
}
