//! What a service allows.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use subtle::ConstantTimeEq;

use undust_live::Live;

use super::hosts::HostName;
use crate::error::{Result, ServiceReason};

/// What a service asks of its clients, and what they may ask of it.
#[derive(Debug, Clone, Default)]
pub struct ServiceOptions {
    /// What a client must show. Without one everybody is let in, and the service listens on loopback
    /// only.
    pub token: Option<AccessToken>,
    /// Hosts that lead to the service, besides the loopback ones and the address that is connected to.
    pub hosts: Vec<HostName>,
    /// Its bounds.
    pub limits: ServiceLimits,
    /// The share of the URLs that change form which is answered as it came, so that it is fetched
    /// all the same; none has no observation taken either, and nothing is written to the models.
    pub exploration: Option<f64>,
    /// Decides for crawlers which URLs they fetch; none has nothing of the kind answered.
    pub live: Option<Arc<Live>>,
}

/// The bounds of a service, and with them of its memory without the models: some 700 KiB for each
/// connection that sends lines without end, `body` and its answer for each that sends a body that
/// is held whole. (An answer in JSON has the cause of each form, and may take ten times its URLs.)
#[derive(Debug, Clone)]
pub struct ServiceLimits {
    /// Connections at once; one more is answered 503.
    pub connections: usize,
    /// Bytes of a body that is held whole: JSON, or lines that are answered at once. Longer JSON is
    /// answered 413; lines have no bound and are answered as they come.
    pub body: usize,
    /// URLs of one JSON request.
    pub urls: usize,
    /// Time for a request's headers, and for the next request on the same connection.
    pub header_time: Duration,
    /// Time in which a connection in use brings or takes no byte.
    pub idle_time: Duration,
    /// Time for a body that is held whole.
    pub body_time: Duration,
    /// Time for requests in progress when the service stops.
    pub drain_time: Duration,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self {
            connections: 512,
            body: 1 << 20,
            urls: 10_000,
            header_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(30),
            body_time: Duration::from_secs(30),
            drain_time: Duration::from_secs(30),
        }
    }
}

/// A secret that clients show as `Authorization: Bearer SECRET`.
#[derive(Clone)]
pub struct AccessToken(Box<[u8]>);

impl AccessToken {
    /// Of a text, without the white space around it.
    ///
    /// # Errors
    ///
    /// It is empty, or holds what a header cannot.
    pub fn new(text: &str) -> Result<Self> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ServiceReason::Token.into());
        }
        Ok(Self(text.as_bytes().into()))
    }

    /// Whether the value of a header `Authorization` shows it. Takes the same time whatever it
    /// shows, except its length.
    pub(super) fn is_shown_by(&self, header: &[u8]) -> bool {
        const SCHEME: &[u8] = b"bearer ";
        let Some((scheme, shown)) = header.split_at_checked(SCHEME.len()) else { return false };
        scheme.eq_ignore_ascii_case(SCHEME) && bool::from(self.0.ct_eq(shown))
    }
}

/// It is nobody's business.
impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_shown_byte_for_byte() {
        let token = AccessToken::new(" s3cret\n").expect("a token");
        assert!(token.is_shown_by(b"Bearer s3cret") && token.is_shown_by(b"bearer s3cret"));
        for wrong in ["", "s3cret", "Bearer", "Bearer ", "Bearer s3cre", "Bearer s3cret2"] {
            assert!(!token.is_shown_by(wrong.as_bytes()), "{wrong}");
        }
        assert!(AccessToken::new(" ").is_err() && AccessToken::new("two words").is_err());
        assert_eq!(format!("{token:?}"), "AccessToken");
    }
}
