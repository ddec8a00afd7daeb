//! Whether a model still holds: it is tested on a crawl that it was not learned from, operation
//! by operation, and can be written again without what that crawl refutes.
//!
//! An operation is a rule, an accepted edit, a pair of a network's templates, or a step by which
//! a URL is written as its site writes it.

pub mod detect;
pub mod operation;
pub mod relearn;
