//! What the consumer of an export does with a URL, as far as its rules are ours.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// A rule that changed a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Applied {
    /// The number of its edit, counted from 1.
    pub rule: usize,
    /// The URL after it.
    pub url: String,
}

/// A program that applies exported rules.
pub(crate) trait Consumer {
    /// What it does with a URL, rule by rule; nothing if it leaves the URL alone.
    fn apply(&self, url: &str) -> Vec<Applied>;

    /// Leaves out the rules of this edit.
    fn forget(&mut self, number: usize);

    /// The numbers of the edits that it has rules of.
    fn numbers(&self) -> BTreeSet<usize>;

    /// A URL as the consumer reads it, whatever its rules are: what it cannot tell from `url`.
    fn read<'u>(&self, url: &'u str) -> Cow<'u, str> {
        Cow::Borrowed(url)
    }
}
