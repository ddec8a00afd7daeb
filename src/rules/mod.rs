//! Rules: the learners that the neural translator is measured against, and what they share.
//!
//! A [`Learner`] ([`rewrite`], [`tree`], [`dustbuster`], [`duster`]) makes [`Candidates`] of
//! a site's duplicate clusters; each is measured on the crawl ([`Evidence`]); those within
//! the [`Limits`] are put in order and indexed ([`RuleSet`]).

pub mod dustbuster;
pub mod duster;
mod evidence;
mod index;
mod key_rule;
mod learner;
pub mod rewrite;
mod rule;
mod set;
mod store;
pub mod tree;

pub use evidence::{Counting, Evidence};
pub use key_rule::{Context, Conversion, KeyRule, Test, Value};
pub use learner::{Facts, Learner, Lesson, Limits, Study, learn_listing};
pub use rule::{Candidates, Rule};
pub use set::{Learned, RuleSet};
pub use store::{parse, to_json};
