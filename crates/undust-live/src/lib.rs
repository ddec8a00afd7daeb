//! TODO(doc): crate.

pub mod clusters;
#[cfg(test)]
mod cost;
pub mod trials;
