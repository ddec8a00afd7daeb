//! What became of a batch.

use std::fmt;

use undust_util::plural::counted;

/// What became of the URLs of a batch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BatchReport {
    /// Responses, also those for a URL that the batch had already.
    pub responses: u64,
    /// Distinct URLs.
    pub urls: u64,
    /// URLs that the state did not know.
    pub new: u64,
    /// Known URLs with the same answer as before.
    pub unchanged: u64,
    /// Known URLs with another answer.
    pub changed: u64,
    /// Known URLs with an answer that was captured before the one that the state has: passed over.
    pub outdated: u64,
    /// Known URLs that the server gave no answer for, or failed at: passed over.
    pub unanswered: u64,
    /// Pages that are gone, or redirect now.
    pub dead: u64,
    /// Changed pages that tier 1 left in their group, because they are near its signature.
    pub kept_by_signature: u64,
    /// Pages that tier 2 compared with all others: new ones, and changed ones.
    pub compared: u64,
    /// Groups that became part of another.
    pub merged: u64,
}

impl BatchReport {
    /// The share of the updates of pages that tier 1 settled; none without an update. New pages are
    /// no updates.
    pub fn settled_share(&self) -> Option<f64> {
        let updates = self.changed - self.dead.min(self.changed);
        (updates > 0).then(|| self.kept_by_signature as f64 / updates as f64)
    }
}

/// One line of counts, without those that are 0.
impl fmt::Display for BatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} added, {} new", counted(self.urls, "URL"), self.new)?;
        let counts = [
            (self.unchanged, "unchanged"),
            (self.changed, "changed"),
            (self.outdated, "older than the known page"),
            (self.unanswered, "not answered"),
            (self.dead, "gone"),
            (self.kept_by_signature, "kept by the signature of their group"),
            (self.merged, "groups merged into others"),
        ];
        for (count, what) in counts.iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {what}")?;
        }
        Ok(())
    }
}
