//! TODO(doc): crate.

pub mod clusters;
pub mod trials;
#[cfg(test)]
mod cost;
