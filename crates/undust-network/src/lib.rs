//! Training of encoder-decoders on burn: the training set of a site in, the weights of a network out.
//! Serving them is in [`undust_decoder`] and needs no burn.
//!
//! ```text
//! training set ─► examples ─► batch ─► network (gru), on burn ─► weights
//! ```
//!
//! | module | what goes in and comes out |
//! |---|---|
//! | [`learn`] | a training set → an encoder-decoder: [`BurnTrainer`], which a caller passes to `undust-learn` |
//! | `pointer` | the pointer network, which copies: `seq2seq` |
//! | `paper` | the network of Xu, Liu and Callan (SIGIR 2017): `seq2seq-paper` |
//! | `gru` | the layers of both, and their backward pass |
//! | [`device`] | where networks are trained |
//!
//! ```
//! use undust_learn::{Config, Training};
//! use undust_network::BurnTrainer;
//!
//! let (config, trainer) = (Config::default(), BurnTrainer::default());
//! // Methods with a network now have what trains it.
//! let training = Training { translator: Some(&trainer), ..Training::new(&config) };
//! assert!(training.translator.is_some());
//! ```

pub mod device;
pub mod error;
mod gru;
pub mod learn;
mod paper;
mod pointer;
#[cfg(test)]
mod tests;

pub use device::DeviceKind;
pub use learn::BurnTrainer;
