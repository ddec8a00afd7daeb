//! `GET /v1/explain?url=`: why a URL gets its form.

use std::sync::Arc;

use axum::extract::{Request, State};

use undust_util::error::Error;
use undust_util::json::to_vec;

use super::failure::{Answer, json, text};
use super::metrics::Outcomes;
use super::query::{self, AnswerFormat};
use super::state::Service;

/// As `undust explain` prints it, in text or JSON.
pub(super) async fn explain(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let url = query::url(request.uri().query())?.into_owned();
    let is_text = AnswerFormat::accepted(request.headers()) == AnswerFormat::Text;
    let work = move |service: &Service| {
        let described = service.registry.explain(&url);
        if is_text {
            return Ok((format!("{described}\n").into_bytes(), Outcomes::default()));
        }
        let described = to_vec(&described);
        described.map(|described| (described, Outcomes::default())).map_err(Error::Json)
    };
    let body = service.work(work).await?;
    Ok(if is_text { text(body) } else { json(body) })
}
