//! DUSTER's rules (Rodrigues et al., TKDE 2015): a URL comes in as [`tokens`], is matched against a
//! [`pattern`] of [elements](pattern_element), and goes out with some of its tokens copied and others replaced.
//! `features` show which URLs a pattern can match.

pub(crate) mod features;
mod matching;
mod notation;
pub mod pattern;
pub mod pattern_element;
mod saved_element;
pub mod tokens;
