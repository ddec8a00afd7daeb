//! Training of the URL translator on burn (Xu, Liu and Callan, SIGIR 2017, section 2.4): template
//! pairs in, the weights of a GRU encoder-decoder out. Serving them needs no burn: that is
//! [`undust_model::networks`].
//!
//! ```text
//! examples ─► batch ─► network (gru, optimizer), on burn ─► weights
//! ```

mod batch;
pub mod device;
pub mod examples;
mod gru;
pub mod learn;
mod network;
mod optimizer;
#[cfg(test)]
mod tests;
mod tokenizer;
mod train;

pub use device::DeviceKind;
pub use learn::BurnTrainer;
