//! Which texts came by before, in little memory.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// A set of texts that keeps a 64-bit hash of each, some 16 bytes. Of ten million texts the odds
/// that two are taken for one are one in 370,000.
#[pyclass(frozen, module = "undust._undust")]
#[derive(Default)]
pub(crate) struct TextSet {
    hasher: RandomState,
    hashes: Mutex<HashSet<u64, BuildHasherDefault<AsItIs>>>,
}

#[pymethods]
impl TextSet {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Adds a text; whether it is new.
    fn add(&self, text: &str) -> bool {
        self.hashes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(self.hasher.hash_one(text))
    }

    fn __len__(&self) -> usize {
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Of a hash, itself.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
