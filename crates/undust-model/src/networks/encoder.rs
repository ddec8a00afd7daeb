//! What the pointer network reads shapes with: a GRU each way over a batch of shapes of
//! different lengths.

pub mod gru;
pub mod packed;
pub mod shape_batch;
