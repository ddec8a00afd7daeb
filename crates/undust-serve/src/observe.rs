//! `POST /v1/observe`: what came back of URLs that were fetched all the same.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;

use undust_live::trials::observe::{self, Observation};
use undust_util::error::Error;
use undust_util::json::to_vec;

use super::batch::whole;
use super::body_kind::BodyKind;
use super::failure::{Answer, Failure, json};
use super::metrics::Outcomes;
use super::state::Service;
use super::watch::MOST_NAMED;

/// Counts a list of observations, or one a line. Only where the service explores: whoever may say
/// what came back may have operations switched off.
pub(super) async fn observe(State(service): State<Arc<Service>>, request: Request) -> Answer {
    if service.options.exploration.is_none() {
        let sentence =
            "this service does not accept observations: it was started without --exploration";
        return Err(Failure::new(StatusCode::FORBIDDEN, sentence));
    }
    let kind = BodyKind::of_change(request.headers())?;
    let observations = read(&whole(&service, request.into_body()).await?, kind)?;
    let most = service.limits().urls;
    if observations.len() > most {
        let sentence = format!(
            "{} observations are too many for one request, which takes {most}",
            observations.len()
        );
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, sentence));
    }
    let work = move |service: &Service| {
        let observed = observe::observe(&service.registry, &observations)?;
        service.counted.conflicted(observed.conflicts);
        for error in observed.broken.keys().take(MOST_NAMED) {
            tracing::warn!("observations were not counted: {error}");
        }
        if let Some(more) = observed.broken.len().checked_sub(MOST_NAMED).filter(|&more| more > 0) {
            tracing::warn!("observations were not counted: {more} more models cannot be loaded");
        }
        for off in observed.switched_off() {
            let (agreed, disagreed) = (off.agreed, off.disagreed);
            tracing::warn!(site = %off.site, agreed, disagreed, "switched off: {}", off.operation);
        }
        let body = to_vec(&observed);
        let body = body.map_err(Error::Json)?;
        Ok((body, Outcomes::default()))
    };
    Ok(json(service.work(work).await?))
}

fn read(body: &Bytes, kind: BodyKind) -> Result<Vec<Observation>, Failure> {
    let wrong = |error: serde_json::Error| {
        Failure::bad(format!(
            "the body is neither a list of {{\"url\": …, \"form\": …, \"same\": true or false}} nor one \
             per line: {error}"
        ))
    };
    if kind == BodyKind::Json {
        return serde_json::from_slice(body).map_err(wrong);
    }
    serde_json::Deserializer::from_slice(body).into_iter().collect::<Result<_, _>>().map_err(wrong)
}
