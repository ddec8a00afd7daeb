//! What is kept of the crawl that edits were learned from, beside the edits: it changes no
//! answer, and explains them.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use undust_url::lexicon::Symbol;

use super::refused::Refused;
use super::restriction::Only;

/// What is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Known {
    /// Every shape of the crawl as a hash, sorted.
    shapes: Vec<u64>,
    /// What the gate refused, the most widely proposed first.
    pub refused: Vec<Refused>,
}

impl Known {
    /// Of these shapes.
    pub fn of(shapes: impl Iterator<Item = u64>) -> Self {
        let mut shapes: Vec<u64> = shapes.collect();
        shapes.sort_unstable();
        shapes.dedup();
        Self { shapes, refused: Vec::new() }
    }

    /// Whether the crawl had this shape; none where its shapes were not kept.
    pub(crate) fn has(&self, shape: &[Symbol]) -> Option<bool> {
        let hash = shape_hash(shape.iter().copied());
        (!self.shapes.is_empty()).then(|| self.shapes.binary_search(&hash).is_ok())
    }

    /// Bytes of memory, about.
    pub(crate) fn bytes(&self) -> usize {
        let of = |refused: &Refused| {
            let only = refused.only.as_ref().map_or(0, Only::heap_bytes);
            refused.edit.heap_bytes() + only + refused.shapes.capacity() * size_of::<u64>()
        };
        self.shapes.capacity() * size_of::<u64>()
            + self.refused.capacity() * size_of::<Refused>()
            + self.refused.iter().map(of).sum::<usize>()
    }
}

/// A shape as a number.
pub fn shape_hash(shape: impl Iterator<Item = Symbol>) -> u64 {
    let mut state = FxHasher::default();
    shape.for_each(|symbol| symbol.hash(&mut state));
    state.finish()
}
