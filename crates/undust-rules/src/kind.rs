//! The learners of rules, by their names, which are also those of their methods, and which kind of rule each learns: what
//! a file of rules may hold.

use super::rule::Rule;

/// Rewrite rules (Dasgupta et al., KDD 2008).
pub const REWRITE: &str = "rewrite";
/// Decision-tree rules (Koppula et al., WSDM 2010).
pub const TREE: &str = "tree";
/// DUSTER (Rodrigues et al., TKDE 2015).
pub const DUSTER: &str = "duster";
/// DustBuster (Bar-Yossef et al., WWW 2007).
pub const DUSTBUSTER: &str = "dustbuster";
/// Query parameters that matter, by the set of names (Pinterest Engineering, 2026).
pub const MIQPS: &str = "miqps";

/// Whether the learner of this name learns rules of the kind of a rule; none for a method that learns no rules.
pub(crate) fn learns(learner: &str) -> Option<fn(&Rule) -> bool> {
    match learner {
        REWRITE | TREE | MIQPS => Some(|rule| matches!(rule, Rule::Keys(_))),
        DUSTER => Some(|rule| matches!(rule, Rule::Pattern(_))),
        DUSTBUSTER => Some(|rule| matches!(rule, Rule::Substitution(_))),
        _ => None,
    }
}
