//! What the pointer network reads shapes with: a GRU each way over a batch of shapes of
//! different lengths.

pub(crate) mod gru;
pub(crate) mod packed;
pub(crate) mod shape_batch;
