//! The rules of an editor.

use std::borrow::Cow;
use std::fmt;

use crate::accepted::AcceptedEdit;
use crate::translation::{Applied, StepDetails, StepEvidence};

/// An accepted edit at work, and how it is described.
#[derive(Debug, Clone)]
pub struct ServedEdit {
    /// What was accepted.
    pub accepted: AcceptedEdit,
    /// Its notation.
    pub notation: String,
    /// Where it holds, in words.
    pub scope: Cow<'static, str>,
    /// The same so that no other place of the edit is described alike.
    pub place: String,
    /// URLs that it changed, each with its form.
    pub examples: Vec<[String; 2]>,
}

impl Applied for ServedEdit {
    fn evidence(&self) -> Option<StepEvidence> {
        Some(self.accepted.evidence.describe(self.accepted.rate))
    }

    fn details(&self) -> Option<StepDetails> {
        Some(StepDetails {
            scope: self.scope.clone(),
            is_restricted: self.accepted.only.is_some(),
            exceptions: self.accepted.exceptions.len(),
            examples: self.examples.clone(),
        })
    }

    fn scope(&self) -> Option<&str> {
        Some(&self.place)
    }
}

impl fmt::Display for ServedEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.notation)
    }
}
