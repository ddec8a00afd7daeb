//! What every model is: a map from any URL to its canonical form.

use std::borrow::Cow;

pub use undust_edits::translation::{
    Applied, Cause, How, Reason, Rewriter, StepDetails, StepEvidence, Translation, spelled_out,
};

/// A map from any URL to its canonical form: a site's model, and the registry of many. The URL is
/// normalised first.
///
/// Total: it never fails and never panics, whatever the string; a URL that it cannot rewrite stays
/// unchanged. Deterministic: the same URL gets the same form at any time. Safe to share between
/// threads.
pub trait Canonicalizer: Send + Sync {
    /// The canonical form of `url`, how it was found, and which rule, template or operation
    /// found it.
    fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u>;

    /// Does in batches what [`canonicalize`](Self::canonicalize) will need for these URLs. This has no
    /// other effect.
    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        let _ = urls;
    }

    /// The canonical form of `url` alone.
    fn canonical<'u>(&self, url: &'u str) -> Cow<'u, str> {
        self.canonicalize(url).canonical
    }
}
