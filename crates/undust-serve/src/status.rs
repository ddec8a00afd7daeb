//! What those ask who watch over a service.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{Response, StatusCode};

use super::failure::{Answer, Failure, answer, json, text};
use super::metrics::Outcomes;
use super::state::Service;

/// The description of everything here.
pub(super) const DESCRIPTION: &str = include_str!("openapi.json");

/// It is alive.
pub(super) async fn health() -> Response<Body> {
    text("ok\n")
}

/// It takes requests, and can answer them: there are models, or it decides in the crawl.
pub(super) async fn ready(State(service): State<Arc<Service>>) -> Answer {
    let not_ready = |sentence: &str| Failure::new(StatusCode::SERVICE_UNAVAILABLE, sentence);
    if service.is_stopping() {
        return Err(not_ready("the service is stopping"));
    }
    let has_models = |service: &Service| {
        let registry = &service.registry;
        let has_models = service.options.live.is_some()
            || registry.sites().is_ok_and(|mut sites| sites.any(|site| site.is_ok()));
        Ok((has_models, Outcomes::default()))
    };
    match service.work(has_models).await? {
        true => Ok(text("ready\n")),
        false => Err(not_ready("the folder of models cannot be read, or has no model")),
    }
}

/// Counts, for Prometheus.
pub(super) async fn metrics(State(service): State<Arc<Service>>) -> Response<Body> {
    if let Some(live) = &service.options.live {
        service.counted.live.found(live);
    }
    let described = service.counted.describe(&service.registry.in_memory());
    answer("application/openmetrics-text; version=1.0.0; charset=utf-8", described)
}

/// The description, for programs.
pub(super) async fn openapi() -> Response<Body> {
    json(DESCRIPTION)
}
