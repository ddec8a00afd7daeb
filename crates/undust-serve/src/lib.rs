//! Models over HTTP: a [`Registry`](undust_model::registry::Registry) behind a socket, for crawlers in any
//! language.
//!
//! ```text
//! POST /v1/translate        lines in, lines out, as they come; or JSON
//! GET  /v1/translate?url=   one URL
//! POST /v1/observe          results of exploratory fetches
//! POST /v1/live/decide      which URLs are fetched, in the crawl; /v1/live/saw what came back
//! GET  /v1/explain?url=     why it gets its canonical form
//! GET  /v1/sites[/SITE]     which models there are, and what is known of one
//! GET  /healthz /readyz /metrics /openapi.json
//! ```
//!
//! What changes something is taken as JSON only, from no page of another host, and under no name that is
//! not the service's own. Beyond loopback it asks for a token.
//!
//! Everything that a client can make large or slow is bounded by [`ServiceLimits`]. A URL is answered on
//! the thread that read it, unless a file or a network must be waited for; lines and batches are
//! answered on threads of their own, no more of them at once than there are processors.
//!
//! ```no_run
//! use std::sync::Arc;
//! use undust_model::registry::Registry;
//! use undust_serve::{ServiceOptions, serve};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = Arc::new(Registry::open("models".as_ref())?);
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:7878").await?;
//! let for_ever = std::future::pending();
//! serve(listener, registry, ServiceOptions::default(), for_ever).await?;
//! # Ok(())
//! # }
//! ```

mod batch;
mod body_kind;
mod connections;
mod error;
mod explain;
mod failure;
mod guarded;
mod hosts;
mod lines;
mod live;
mod live_metrics;
mod metrics;
mod observe;
mod one;
mod options;
mod query;
mod routes;
mod sites;
mod state;
mod status;
mod stream;
mod watch;
mod work;

pub use crate::connections::serve;
pub use crate::error::ServiceReason;
pub use crate::hosts::HostName;
pub use crate::options::{AccessToken, ServiceLimits, ServiceOptions};
