//! Why a service does not start.

pub(crate) use undust_util::error::{Error, Reason, Result};

/// Why the options of a service cannot be used. Arises before it starts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceReason {
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

impl Reason for ServiceReason {}
