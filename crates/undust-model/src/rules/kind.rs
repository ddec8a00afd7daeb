//! Which kind of rule each method learns: what a file of rules may hold.

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

impl RuleKind {
    /// The kind that a method learns, by the method's name; none of a method that learns no rules.
    pub fn of_method(method: &str) -> Option<Self> {
        match method {
            "rewrite" | "tree" => Some(Self::Keys),
            "duster" => Some(Self::Pattern),
            "dustbuster" => Some(Self::Substitution),
            _ => None,
        }
    }
}

impl Rule {
    /// Its kind.
    pub fn kind(&self) -> RuleKind {
        match self {
            Self::Keys(_) => RuleKind::Keys,
            Self::Pattern(_) => RuleKind::Pattern,
            Self::Substitution(_) => RuleKind::Substitution,
        }
    }
}
