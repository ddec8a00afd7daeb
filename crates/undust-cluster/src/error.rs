//! Why criteria of canonical URLs cannot be used.

pub(crate) use undust_util::error::{Error, Reason, Subject};

/// Why criteria of canonical URLs cannot be used. Arises before any cluster is made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CriteriaReason {
    /// No criterion of canonical URLs has this name.
    #[error(
        "{name:?} is not a criterion; the criteria are importance, country, static, tokens, \
         frequency and length"
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// The order of canonical URLs names a criterion twice.
    #[error("canonical.order names {criterion} twice")]
    Twice {
        /// The criterion.
        criterion: String,
    },
}

impl Reason for CriteriaReason {
    const SUBJECT: Subject = Subject::Settings;
}
