//! Which path is answered by what.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::header::AUTHORIZATION;
use axum::http::{Request, Response, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use hyper::body::Incoming;
use tower_service::Service as _;

use super::failure::Failure;
use super::state::Service;
use super::{batch, explain, hosts, live, observe, one, sites, status};

/// The only path that is answered without a token and to whatever host: supervisors of services ask it.
const FREE: &str = "/healthz";

/// The answers by path; [`status::DESCRIPTION`] describes them all.
pub(super) fn router(service: &Arc<Service>) -> Router {
    Router::new()
        .route("/v1/translate", get(one::translate).post(batch::translate))
        .route("/v1/observe", post(observe::observe))
        .route("/v1/live/decide", post(live::decide))
        .route("/v1/live/saw", post(live::saw))
        .route("/v1/live/begin-crawl", post(live::begin_crawl))
        .route("/v1/live/stats", get(live::stats))
        .route("/v1/explain", get(explain::explain))
        .route("/v1/sites", get(sites::list))
        .route("/v1/sites/{site}", get(sites::one))
        .route(FREE, get(status::health))
        .route("/readyz", get(status::ready))
        .route("/metrics", get(status::metrics))
        .route("/openapi.json", get(status::openapi))
        .fallback(nothing)
        .method_not_allowed_fallback(no_such_method)
        .with_state(Arc::clone(service))
}

async fn nothing() -> Failure {
    let sentence = "no such path; /openapi.json describes the paths";
    Failure::new(StatusCode::NOT_FOUND, sentence)
}

async fn no_such_method() -> Failure {
    let sentence = "this path does not accept this method; /openapi.json describes the paths";
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, sentence)
}

impl Service {
    /// Answers a request.
    pub(super) async fn respond(
        &self,
        mut router: Router,
        request: Request<Incoming>,
        local: Option<IpAddr>,
    ) -> Result<Response<Body>, Infallible> {
        // The URL that is asked for is logged nowhere: it may hold what is nobody's business.
        let described = tracing::enabled!(tracing::Level::DEBUG)
            .then(|| (request.method().clone(), request.uri().path().to_owned()));
        let response = match self.lets_in(&request, local) {
            Ok(()) => {
                let Ok(response) = router.call(request).await;
                response
            }
            Err(failure) => failure.into_response(),
        };
        if let Some((method, path)) = described {
            tracing::debug!(%method, path, status = response.status().as_u16(), "answered");
        }
        self.counted.responded(response.status().as_u16());
        Ok(response)
    }

    fn lets_in(&self, request: &Request<Incoming>, local: Option<IpAddr>) -> Result<(), Failure> {
        let headers = request.headers();
        if request.uri().path() == FREE {
            return Ok(());
        }
        hosts::check(headers, request.uri(), local, &self.options.hosts)?;
        let shown = headers.get(AUTHORIZATION).map_or(&b""[..], |shown| shown.as_bytes());
        if self.options.token.as_ref().is_none_or(|token| token.is_shown_by(shown)) {
            return Ok(());
        }
        let sentence = "send the token of the service: Authorization: Bearer TOKEN";
        Err(Failure::new(StatusCode::UNAUTHORIZED, sentence))
    }
}
