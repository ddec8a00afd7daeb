//! `GET /v1/translate?url=`: one URL.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};

use undust_model::queue::AnsweredUrl;
use undust_model::registry::{LookupError, Models, Pinned};
use undust_model::site_model::SiteModel;
use undust_model::translation::{Canonicalizer, Translation};
use undust_util::{Error, Result, json};

use super::failure::{self, Answer, Failure, text};
use super::metrics::{Outcome, Outcomes};
use super::query::{self, AnswerFormat};
use super::state::Service;

type Found = Result<Arc<SiteModel>, LookupError>;

/// The form of a URL and nothing else, or the object that `undust translate --format jsonl` has.
pub(super) async fn translate(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let url = query::url(request.uri().query())?;
    let format = AnswerFormat::accepted(request.headers());
    let body = match at_once(&service, format, &url) {
        Some(body) => body?,
        None => waited(&service, format, url.into_owned()).await?,
    };
    Ok(if format == AnswerFormat::Text { text(body) } else { failure::json(body) })
}

/// The answer, unless a file or a network must be waited for.
fn at_once(service: &Service, format: AnswerFormat, url: &str) -> Option<Result<Vec<u8>, Failure>> {
    let begin = Instant::now();
    let (translation, found) = service.registry.answer_at_once(url)?;
    let (body, outcomes) = match written(service, format, url, translation, &found) {
        Ok(written) => written,
        Err(error) => return Some(Err(Failure::inside(&error))),
    };
    service.counted.translated(outcomes, begin.elapsed());
    Some(Ok(body))
}

async fn waited(
    service: &Arc<Service>,
    format: AnswerFormat,
    url: String,
) -> Result<Vec<u8>, Failure> {
    let work = move |service: &Service| {
        let found = service.registry.model(&url);
        written(service, format, &url, found.canonicalize(&url), &found)
    };
    service.work(work).await
}

/// A URL's answer, and what became of it.
fn written(
    service: &Service,
    format: AnswerFormat,
    url: &str,
    translation: Translation<'_>,
    found: &Found,
) -> Result<(Vec<u8>, Outcomes)> {
    let (mut outcomes, mut body) = (Outcomes::default(), Vec::new());
    if format != AnswerFormat::Text {
        object(service, url, &translation, found, &mut outcomes, &mut body)?;
        body.push(b'\n');
        return Ok((body, outcomes));
    }
    let form = if count(service, url, &translation, found, &mut outcomes) {
        url.to_owned()
    } else {
        translation.canonical.into_owned()
    };
    Ok((form.into_bytes(), outcomes))
}

/// The object of a URL, after those before it.
pub(super) fn append(
    service: &Service,
    models: &Pinned<'_>,
    url: &str,
    outcomes: &mut Outcomes,
    body: &mut Vec<u8>,
) -> Result<()> {
    let found = models.model(url);
    object(service, url, &found.canonicalize(url), &found, outcomes, body)
}

fn object(
    service: &Service,
    url: &str,
    translation: &Translation<'_>,
    found: &Found,
    outcomes: &mut Outcomes,
    body: &mut Vec<u8>,
) -> Result<()> {
    let is_explored = count(service, url, translation, found, outcomes);
    let site = found.as_ref().ok().map(|model| &*model.site);
    json::append(body, &AnsweredUrl { url, translation, is_explored, site }).map_err(Error::Json)
}

/// Counts what becomes of a URL; whether it is fetched all the same.
fn count(
    service: &Service,
    url: &str,
    translation: &Translation<'_>,
    found: &Found,
    outcomes: &mut Outcomes,
) -> bool {
    let explores = |model: &Arc<SiteModel>| model.explores(url, translation, service.exploration());
    let is_explored = found.as_ref().is_ok_and(explores);
    let is_changed = translation.canonical != url && !is_explored;
    outcomes.add(Outcome::of(translation.how, is_changed), is_explored);
    is_explored
}
