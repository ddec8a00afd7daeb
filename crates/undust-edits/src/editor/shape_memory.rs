//! What an editor remembers of a shape.

use std::sync::OnceLock;

use super::output_parts::OutputPart;
use crate::translation::Reason;
use undust_util::cache::{ALLOCATION, Weighs};

/// What was found out of a shape, each as it was first asked for.
#[derive(Debug, Default)]
pub(super) struct ShapeMemory {
    pub edited: OnceLock<Edited>,
    pub answer: OnceLock<ShapeAnswer>,
}

/// What a shape says of its URLs whose escapes are normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShapeAnswer {
    /// Each is its own form, for this reason.
    Same(Reason),
    /// What the rules write at once is the form, unless a `+` or `\` comes to mean something else.
    Form,
    /// Not enough: each goes the long way.
    Open,
}

/// What the rules make of a shape.
#[derive(Debug)]
pub(super) struct Edited {
    /// None where nothing does.
    pub parts: Option<Vec<OutputPart>>,
    /// Why nothing does, if nothing does.
    pub reason: Reason,
    pub rules: Vec<u32>,
    /// Whether the form is its own form.
    pub is_stable: bool,
    /// Whether the form is the URL without some of its arguments, and nothing more.
    pub leaves_out: bool,
    /// Whether the form's shape determines its host and names, and the host is the URL's.
    pub determines_names: bool,
}

/// What the rules make of a shape is weighed when it is found out.
impl Weighs for ShapeMemory {
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl Edited {
    /// Bytes on the heap, about, without the value itself.
    pub(super) fn bytes(&self) -> usize {
        let parts = self.parts.as_ref().map_or(0, Vec::capacity);
        parts * size_of::<OutputPart>() + self.rules.capacity() * size_of::<u32>() + 2 * ALLOCATION
    }
}
