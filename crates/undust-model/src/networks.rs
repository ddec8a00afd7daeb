//! Networks at work, without burn: weights and a vocabulary come in, and forms of URLs go out.
//!
//! [`translator`] serves the encoder-decoder of Xu, Liu and Callan (SIGIR 2017, section 2.4), whose
//! output [`decode`] finds symbol by symbol. [`tagger`] serves the edit tagger, which keeps, deletes
//! and inserts pieces, and [`mod@pointer`] the pointer network, which copies and inserts them; both read
//! shapes with an [`encoder`]. All read `weights.safetensors`; the translator's words are in
//! `tokenizer.json` ([`tokenizer`]).

pub mod alignment;
pub mod decode;
pub mod encoder;
pub mod matrix;
pub mod pointer;
pub mod tagger;
pub mod tokenizer;
pub mod translator;
pub mod translator_weights;
