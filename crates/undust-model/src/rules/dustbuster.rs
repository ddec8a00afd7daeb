//! TODO(doc): rules/dustbuster.

pub mod canonize;
pub mod parameter;
pub mod substitution;
pub mod text;
pub mod tokens;
