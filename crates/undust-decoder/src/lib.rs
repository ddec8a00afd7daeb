//! Networks at work, without burn: weights and a vocabulary come in, and forms of URLs go out.
//!
//! [`translator`] serves the encoder-decoder of Xu, Liu and Callan (SIGIR 2017, section 2.4), whose
//! output [`decode`] finds symbol by symbol. [`mod@pointer`] serves the pointer network, which copies and inserts
//! pieces of a shape that it reads with an `encoder`. Both read `weights.safetensors`; the translator's words are in
//! `tokenizer.json` ([`tokenizer`]).

pub mod alignment;
pub mod decode;
mod encoder;
pub mod error;
pub mod matrix;
pub mod pointer;
pub mod tokenizer;
pub mod translator;
pub mod translator_weights;
