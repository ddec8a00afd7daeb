//! Rules: the learners that the neural translator is measured against, and what they share.
//!
//! A [`Learner`] of the table [`LEARNERS`] ([`rewrite`], [`tree`], [`dustbuster`], [`duster`])
//! makes [`Candidates`] of a site's duplicate clusters; each is measured on the crawl
//! ([`Evidence`]); those within the [`Limits`](crate::config::Limits) are put in order and
//! indexed ([`RuleSet`]).

pub mod dustbuster;
pub mod duster;
pub mod evidence;
pub mod index;
pub mod key_rule;
pub mod learner;
pub mod rewrite;
pub mod rule;
pub mod set;
pub mod store;
pub mod tree;

pub use evidence::{Counting, Evidence};
pub use key_rule::{Context, Conversion, KeyRule, Test, Value};
pub use learner::{LEARNERS, Learner, Order, RulesReport, Study};
pub use rule::{Candidates, Rule};
pub use set::{MeasuredRule, RuleSet};
pub use store::{parse, to_json};
