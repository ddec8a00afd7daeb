//! Rules: the learners that the neural translator is measured against, and what they share.
//!
//! A learner ([`rewrite`], [`tree`], [`dustbuster`], [`duster`]) makes [`Candidates`] of a
//! site's duplicate clusters; [`measure`](evidence::measure) counts what each candidate would
//! do to the crawl; what passes is put in order and indexed ([`RuleSet`]).

pub mod dustbuster;
pub mod duster;
mod key_rule;
mod rule;
pub mod tree;

pub use key_rule::{Context, Conversion, KeyRule, Test, Value};
pub use rule::{Candidates, Rule};
