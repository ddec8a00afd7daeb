//! What is answered to a request that cannot be.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;

use undust_util::json::to_vec;

/// What a handler gives back.
pub(super) type Answer = Result<Response<Body>, Failure>;

/// A status and one sentence for the client: what is wrong, and what to do.
#[derive(Debug)]
pub(super) struct Failure {
    pub status: StatusCode,
    pub sentence: String,
}

impl Failure {
    pub(super) fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        Self { status, sentence: sentence.into() }
    }

    pub(super) fn bad(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// What went wrong here. The log has the details; the client does not get them.
    pub(super) fn inside(error: &dyn std::fmt::Display) -> Self {
        tracing::error!(%error, "a request failed");
        let sentence = "internal error; the log of the service has details";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response<Body> {
        // A map of texts is always written.
        let body = to_vec(&serde_json::json!({ "error": self.sentence })).unwrap_or_default();
        let mut response = json(body);
        *response.status_mut() = self.status;
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// An answer of this type.
pub(super) fn answer(content_type: &'static str, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// An answer in JSON.
pub(super) fn json(body: impl Into<Body>) -> Response<Body> {
    answer("application/json", body)
}

/// An answer in plain text.
pub(super) fn text(body: impl Into<Body>) -> Response<Body> {
    answer("text/plain; charset=utf-8", body)
}
