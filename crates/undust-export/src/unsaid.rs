//! Why an edit is left out of an export.

/// Why an edit is left out of an export, in a clause for people.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Unsaid {
    /// The format fetches or redirects, and the crawl did not see most forms of the edit answer.
    #[error("of its {1} forms the crawl saw {0} answer, and most must")]
    SeldomAnswers(u32, u32),
    /// The format fetches or redirects, and the crawl saw forms of the edit redirect.
    #[error("of its {1} forms the crawl saw {0} redirect, and none may")]
    Redirects(u32, u32),
    /// The rule and the site's own redirects send a client in a circle.
    #[error("with the site's own redirects its rule would lead in a circle: {0}")]
    Circle(String),
    /// The rule and the site's own redirects, or other rules, send a client over more redirects than one.
    #[error("with other redirects its rule would lead over more than one: {0}")]
    Detour(String),
    /// The model does not know which forms answer.
    #[error(
        "the model is of an older version and does not know whether its forms answer: train again"
    )]
    AnswersUnknown,
    /// It is several edits that count as one.
    #[error("it is several edits that count as one")]
    Joint,
    /// It cuts values, which no rule of the format does.
    #[error("it cuts the ends of values")]
    CutsValues,
    /// It writes a placeholder, and no URL with it can be fetched.
    #[error("it writes a placeholder: its form is a key that nobody can fetch")]
    Placeholder,
    /// It does something else than the format's rules do.
    #[error("it does more than drop an argument by its name")]
    NotADrop,
    /// What it writes cannot be written in a rule.
    #[error("it replaces {0}, which rules cannot say")]
    Replacement(&'static str),
    /// Where it holds cannot be said.
    #[error("it holds {0}, which rules cannot say")]
    Place(&'static str),
    /// It holds on no URL of this kind of place.
    #[error("it holds nowhere")]
    Nowhere,
    /// The rule would be too long.
    #[error("its rule would be longer than {0} bytes")]
    TooLong(usize),
    /// It holds on some hosts of the site, or for one scheme alone, which the format does not tell apart.
    #[error(
        "it holds on some hosts of the site, or for one scheme, which the format does not tell apart"
    )]
    SomeHosts,
    /// After it others could be applied, and after them it again.
    #[error("it could be applied again after each of those that follow")]
    Endless,
    /// The consumer would change a URL otherwise than the model does.
    #[error("its rule would change a URL otherwise than the model: {0}")]
    Conflict(String),
}
