//! DUSTER.
mod pattern;
pub use pattern::Pattern;
