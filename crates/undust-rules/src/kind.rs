//! The learners of rules, and which kind of rule each learns: what a file of rules may hold.

use super::rule::Rule;

/// The kinds of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// Over keys and values.
    Keys,
    /// A pattern over tokens.
    Pattern,
    /// One substring or argument for another.
    Substitution,
}

/// A learner of rules, as `rules.json` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleLearner {
    /// Its name, which is also that of its method.
    pub name: &'static str,
    /// The kind of its rules.
    pub kind: RuleKind,
}

impl RuleLearner {
    /// Rewrite rules (Dasgupta et al., KDD 2008).
    pub const REWRITE: Self = Self { name: "rewrite", kind: RuleKind::Keys };
    /// Decision-tree rules (Koppula et al., WSDM 2010).
    pub const TREE: Self = Self { name: "tree", kind: RuleKind::Keys };
    /// DUSTER (Rodrigues et al., TKDE 2015).
    pub const DUSTER: Self = Self { name: "duster", kind: RuleKind::Pattern };
    /// DustBuster (Bar-Yossef et al., WWW 2007).
    pub const DUSTBUSTER: Self = Self { name: "dustbuster", kind: RuleKind::Substitution };

    /// Query parameters that matter, by the set of names (Pinterest Engineering, 2026).
    pub const MIQPS: Self = Self { name: "miqps", kind: RuleKind::Keys };

    const ALL: [Self; 5] = [Self::REWRITE, Self::TREE, Self::DUSTER, Self::DUSTBUSTER, Self::MIQPS];

    /// The learner of this name; none for a method that learns no rules.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|learner| learner.name == name)
    }
}

impl Rule {
    /// Its kind.
    pub(crate) fn kind(&self) -> RuleKind {
        match self {
            Self::Keys(_) => RuleKind::Keys,
            Self::Pattern(_) => RuleKind::Pattern,
            Self::Substitution(_) => RuleKind::Substitution,
        }
    }
}
