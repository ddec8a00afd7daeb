//! The rules of an editor.

use std::borrow::Cow;
use std::fmt;

use crate::edits::accepted::Accepted;
use crate::heap;
use crate::translation::{Applied, StepDetails, StepEvidence};

/// An accepted edit, as it is told.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    /// What was accepted.
    pub accepted: Accepted,
    /// Its notation.
    pub notation: String,
    /// Where it holds, in words.
    pub scope: Cow<'static, str>,
    /// The same so that no other place of the edit is told alike.
    pub place: String,
    /// URLs that it changed, each with its form.
    pub examples: Vec<[String; 2]>,
}

impl Applied for Rule {
    fn evidence(&self) -> Option<StepEvidence> {
        Some(self.accepted.evidence.told(self.accepted.rate))
    }

    fn details(&self) -> Option<StepDetails> {
        Some(StepDetails {
            scope: self.scope.clone(),
            exceptions: self.accepted.exceptions.len(),
            examples: self.examples.clone(),
        })
    }

    fn scope(&self) -> Option<&str> {
        Some(&self.place)
    }
}

impl Rule {
    /// Bytes of memory, about, its places in the lists of an editor included.
    pub(super) fn bytes(&self) -> usize {
        let scope = if let Cow::Owned(scope) = &self.scope { heap::of_text(scope) } else { 0 };
        let texts: usize = self.examples.iter().flatten().map(|text| heap::of_text(text)).sum();
        size_of::<Self>()
            + 2 * heap::ALLOCATION
            + self.accepted.heap_bytes()
            + heap::of_text(&self.notation)
            + scope
            + heap::of_text(&self.place)
            + self.examples.capacity() * size_of::<[String; 2]>()
            + texts
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.notation)
    }
}
