//! Rules: the learners that the neural translator is measured against, and what they share.
//!
//! A [`Learner`](learner::Learner) of the table [`LEARNERS`](learners::LEARNERS) ([`rewrite`],
//! [`tree`], [`dustbuster`], [`duster`]) makes [`Candidates`](rule::Candidates) of a site's
//! duplicate clusters. Each candidate is measured on the crawl
//! ([`Evidence`](measured::Evidence)). The rules within the [`Limits`](undust_learn::config::Limits)
//! are put in order and indexed ([`RuleSet`](set::RuleSet)).

pub mod dustbuster;
pub mod duster;
mod feature;
pub mod index;
pub mod key_rule;
pub mod kind;
pub mod measured;
pub mod rule;
pub mod set;
pub mod store;
