//! DUSTER's rules (Rodrigues et al., TKDE 2015): a URL comes in as [`tokens`], is matched against a
//! [`pattern`] of [pieces](piece), and goes out with some of its tokens copied and others replaced.
//! [`features`] tell which URLs a pattern can match.

mod entry;
pub mod features;
mod matching;
mod notation;
pub mod pattern;
pub mod piece;
pub mod tokens;
