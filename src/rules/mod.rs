//! Rules: the learners that the neural translator is measured against, and what they share.
//!
//! A [`Learner`](learner::Learner) of the table [`LEARNERS`](learners::LEARNERS) ([`rewrite`],
//! [`tree`], [`dustbuster`], [`duster`]) makes [`Candidates`](rule::Candidates) of a site's
//! duplicate clusters. Each candidate is measured on the crawl
//! ([`Evidence`](measured::Evidence)). The rules within the [`Limits`](crate::config::Limits)
//! are put in order and indexed ([`RuleSet`](set::RuleSet)).

pub(crate) mod dustbuster;
pub(crate) mod duster;
pub(crate) mod feature;
pub(crate) mod index;
pub(crate) mod key_rule;
pub(crate) mod learner;
pub(crate) mod learners;
pub(crate) mod measure;
pub(crate) mod measured;
pub(crate) mod rewrite;
pub(crate) mod rule;
pub(crate) mod set;
pub(crate) mod store;
pub(crate) mod tree;
