//! Rules as data, and their application: what rule learners leave behind for serving.
//!
//! `rules.json` comes in ([`store`]). Each rule is of one [`kind`]: a [`key_rule`] (rewrite rules
//! and decision trees), a substitution or a parameter rule of [`dustbuster`], a pattern of
//! [`duster`]. Out comes a [`RuleSet`](set::RuleSet), which finds the rules that may be for a URL
//! by an [`index`] and gives the form that they make of it. What a crawl says for and against a rule is its
//! [`RuleEvidence`](measured::RuleEvidence).

pub mod dustbuster;
pub mod duster;
pub mod error;
mod feature;
pub mod index;
pub mod key_rule;
pub mod kind;
pub mod measured;
pub mod rule;
pub mod set;
pub mod store;
