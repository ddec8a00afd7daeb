//! DustBuster.
mod substitution;
pub use substitution::Substitution;
