//! Training of the URL translator on burn (Xu, Liu and Callan, SIGIR 2017, section 2.4): template
//! pairs in, the weights of a GRU encoder-decoder out. Serving them needs no burn: that is
//! [`undust_model::networks`].
//!
//! ```text
//! examples ─► batch ─► network (gru, optimizer), on burn ─► weights
//! ```
//!
//! | module | what goes in and comes out |
//! |---|---|
//! | [`learn`] | a training set → a translator: [`BurnTrainer`], which a caller gives to learning |
//! | [`examples`] | a training set → pairs of templates |
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

mod batch;
pub mod device;
pub mod examples;
mod gru;
pub mod learn;
pub mod network;
mod optimizer;
#[cfg(test)]
mod tests;
mod tokenizer;
mod train;

pub use device::DeviceKind;
pub use learn::BurnTrainer;
