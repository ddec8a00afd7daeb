//! `GET /v1/translate?url=`: one URL.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;

use super::failure::{Failure, json, text};
use super::metrics::{Outcome, Outcomes};
use super::query::{self, Form};
use super::state::Service;
use crate::error::Result;
use crate::model::registry::{Absence, Models};
use crate::model::site_model::SiteModel;
use crate::queue::record::write_record;
use crate::translation::{Canonicalizer, Translation};

type Found = Result<Arc<SiteModel>, Absence>;

/// The form of a URL and nothing else, or the object that `undust translate --format jsonl` has.
pub(super) async fn translate(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Result<Response<Body>, Failure> {
    let url = query::url(request.uri().query())?;
    let form = Form::accepted(request.headers());
    let body = match at_once(&service, form, &url) {
        Some(body) => body?,
        None => waited(&service, form, url.into_owned()).await?,
    };
    Ok(if form == Form::Text { text(body) } else { json(body) })
}

/// The answer, unless a file or a network must be waited for.
fn at_once(service: &Service, form: Form, url: &str) -> Option<Result<Vec<u8>, Failure>> {
    let begin = Instant::now();
    let found = service.registry.model_at_once(url)?;
    let translation = match &found {
        Ok(model) => model.translate_known(url)?,
        Err(absence) => Translation::unchanged(url, absence.reason),
    };
    let (body, outcomes) = match written(form, url, (translation, &found)) {
        Ok(written) => written,
        Err(error) => return Some(Err(Failure::inside(&error))),
    };
    service.counted.translated(outcomes, begin.elapsed());
    Some(Ok(body))
}

async fn waited(service: &Arc<Service>, form: Form, url: String) -> Result<Vec<u8>, Failure> {
    let work = move |service: &Service| {
        let found = service.registry.model(&url);
        let translation = match &found {
            Ok(model) => model.translate(&url),
            Err(absence) => Translation::unchanged(&*url, absence.reason),
        };
        written(form, &url, (translation, &found))
    };
    service.work(work).await
}

/// A URL's answer, and what became of it.
pub(super) fn written(
    form: Form,
    url: &str,
    (translation, found): (Translation<'_>, &Found),
) -> Result<(Vec<u8>, Outcomes)> {
    let is_changed = translation.canonical != url;
    let mut outcomes = Outcomes::default();
    outcomes.add(Outcome::of(translation.how, is_changed));
    if form == Form::Text {
        return Ok((translation.canonical.into_owned().into_bytes(), outcomes));
    }
    let site = found.as_ref().ok().map(|model| &**model.site());
    let mut body = Vec::new();
    write_record(url, &translation, site, &mut body)?;
    Ok((body, outcomes))
}

/// The object of a URL, after those before it.
pub(super) fn append(models: &impl Models, url: &str, body: &mut Vec<u8>) -> Result<Outcome> {
    let found = models.model(url);
    let translation = match &found {
        Ok(model) => model.translate(url),
        Err(absence) => Translation::unchanged(Cow::Borrowed(url), absence.reason),
    };
    let site = found.as_ref().ok().map(|model| &**model.site());
    write_record(url, &translation, site, body)?;
    Ok(Outcome::of(translation.how, translation.canonical != url))
}
