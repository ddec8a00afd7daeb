//! DustBuster.
mod substitution;
use super::rule::Candidates;
use crate::config::DustbusterConfig;
use crate::pairs::TrainingSet;
use std::borrow::Cow;
pub use substitution::Substitution;

/// Stub.
pub fn candidates(_: &TrainingSet<'_>, _: &DustbusterConfig, _: u64) -> Candidates {
    Candidates::default()
}
/// Stub.
#[derive(Debug)]
pub struct Substitutions;
impl Substitutions {
    /// Stub.
    pub fn new(_: Vec<Substitution>) -> Self {
        Self
    }
    /// Stub.
    pub fn canonicalize<'u>(&self, url: &'u str) -> Cow<'u, str> {
        url.into()
    }
}
impl Substitution {
    /// Stub.
    pub fn specificity(&self) -> usize {
        0
    }
    /// Stub.
    pub fn words(&self) -> Vec<&str> {
        Vec::new()
    }
}
