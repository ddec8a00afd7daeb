//! Why nothing could be learned, and which arguments of the library cannot be used.

use crate::plural::counted;

/// Why a method learned nothing. Arises in training, of rules and of networks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingReason {
    /// The observer interrupted the training too early.
    #[error("interrupted before anything was learned")]
    Interrupted,
    /// A network has no example.
    #[error("no pair of duplicate URLs to learn from")]
    NoPairs,
    /// The weights of a network grew beyond all numbers.
    #[error("training diverged: lower {setting} in the settings")]
    Diverged {
        /// The setting that makes the steps smaller.
        setting: &'static str,
    },
    /// The vocabulary of a network cannot be written.
    #[error("{detail}")]
    Tokenizer {
        /// What the encoder says.
        detail: String,
    },
    /// The pages are of no site.
    #[error("no page has a URL with a host")]
    NoHost,
    /// The site has too few pages or duplicates.
    #[error(
        "{site} has {} and {}: a model needs {min_pages} and {min_clusters} (site.min_pages, \
         site.min_clusters)",
        counted(*pages, "page"),
        counted(*duplicates, "duplicate cluster")
    )]
    TooLittle {
        /// The site.
        site: String,
        /// Its pages.
        pages: usize,
        /// Its duplicate clusters.
        duplicates: usize,
        /// Fewest pages that a model needs.
        min_pages: usize,
        /// Fewest duplicate clusters that a model needs.
        min_clusters: usize,
    },
    /// The method needs pages, and a log or a list has only URLs.
    #[error("`{method}` learns from pages, but there are only URLs from a log or list")]
    NeedsPages {
        /// The method.
        method: &'static str,
    },
}

/// Why a value that the caller gives cannot be used. Arises before any work is done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentReason {
    /// No method has this name.
    #[error("no method is called `{name}`")]
    UnknownMethod {
        /// The name.
        name: String,
    },
    /// No criterion of canonical URLs has this name.
    #[error(
        "{name:?} is not a criterion; the criteria are importance, country, static, tokens, \
         frequency and length"
    )]
    UnknownCriterion {
        /// The name.
        name: String,
    },
    /// No site has this name.
    #[error("{name:?} is not the name of a site")]
    NotASite {
        /// The name.
        name: String,
    },
    /// A header cannot hold the token of the service.
    #[error("the token must be a word of visible ASCII characters")]
    Token,
    /// Others can reach a service that asks for no token.
    #[error(
        "a service on {address} can be reached by others and needs a token: give it one with UNDUST_TOKEN or \
         --token-file, or listen on 127.0.0.1"
    )]
    NoToken {
        /// Where it would listen.
        address: std::net::SocketAddr,
    },
    /// No host has this name.
    #[error(
        "must be the name or the address of a host without scheme and port, such as `crawl.example`"
    )]
    HostName,
}
