//! Candidates: an edit in a scope, and the shapes that it may change there.

use undust_edits::scope::ContextFeature;

/// The number of an edit, and that of a scope.
pub(super) type CandidateKey = (u32, u64);

/// An edit in a scope.
pub(super) struct Candidate {
    pub edit: u32,
    pub level: usize,
    pub scope: u64,
    pub context_feature: Option<ContextFeature>,
    /// The candidate of the next wider scope.
    pub above: Option<CandidateKey>,
    /// The shapes that it may change, ascending.
    pub shapes: Vec<u32>,
}

impl Candidate {
    pub(super) fn of(
        (edit, scope): CandidateKey,
        level: usize,
        context_feature: Option<ContextFeature>,
        above: Option<CandidateKey>,
    ) -> Self {
        Self { edit, level, scope, context_feature, above, shapes: Vec::new() }
    }
}
