//! The network of the paper (Xu, Liu and Callan, SIGIR 2017, section 2.4), by the paper's recipe: a
//! closed vocabulary of function tokens and numbered arguments, and nothing is copied.
//!
//! ```text
//! examples ─► batch ─► network (optimizer, tokenizer) ─► weights
//! ```

pub(crate) mod batch;
pub(crate) mod examples;
pub(crate) mod network;
mod optimizer;
pub(crate) mod tokenizer;
pub(crate) mod train;
