//! `GET /v1/translate?url=`: one URL.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};

use undust_model::queue::AnsweredUrl;
use undust_model::registry::LookupError;
use undust_model::site_model::SiteModel;
use undust_model::translation::{Canonicalizer, Translation};
use undust_util::{Error, Result, json};

use super::failure::{self, Answer, Failure, text};
use super::metrics::{Outcome, Outcomes};
use super::query::{self, AnswerFormat};
use super::state::Service;

/// The form of a URL and nothing else, or the object that `undust translate --format jsonl` has.
pub(super) async fn translate(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let url = query::url(request.uri().query())?;
    let format = AnswerFormat::accepted(request.headers());
    let body = match at_once(&service, format, &url) {
        Some(body) => body?,
        None => {
            let url = url.into_owned();
            let work = move |service: &Service| {
                AnsweredBy::of(&url, service.registry.model(&url)).written(service, format)
            };
            service.work(work).await?
        }
    };
    Ok(if format == AnswerFormat::Text { text(body) } else { failure::json(body) })
}

/// The answer, unless a file or a network must be waited for.
fn at_once(service: &Service, format: AnswerFormat, url: &str) -> Option<Result<Vec<u8>, Failure>> {
    let begin = Instant::now();
    let (translation, found) = service.registry.answer_at_once(url)?;
    let (body, outcomes) = match (AnsweredBy { url, translation, found }).written(service, format) {
        Ok(written) => written,
        Err(error) => return Some(Err(Failure::inside(&error))),
    };
    service.counted.translated(outcomes, begin.elapsed());
    Some(Ok(body))
}

/// A URL, its answer, and the model that gave it, or why there is none.
pub(super) struct AnsweredBy<'u> {
    url: &'u str,
    translation: Translation<'u>,
    found: Result<Arc<SiteModel>, LookupError>,
}

impl<'u> AnsweredBy<'u> {
    /// The answer of what was found.
    pub(super) fn of(url: &'u str, found: Result<Arc<SiteModel>, LookupError>) -> Self {
        Self { url, translation: found.canonicalize(url), found }
    }

    /// The body, and what became of the URL.
    fn written(self, service: &Service, format: AnswerFormat) -> Result<(Vec<u8>, Outcomes)> {
        let (mut outcomes, mut body) = (Outcomes::default(), Vec::new());
        if format != AnswerFormat::Text {
            self.append(service, &mut outcomes, &mut body)?;
            body.push(b'\n');
            return Ok((body, outcomes));
        }
        let is_explored = self.count(service, &mut outcomes);
        let form = if is_explored { self.url } else { &*self.translation.canonical };
        Ok((form.as_bytes().to_vec(), outcomes))
    }

    /// Appends the object, and counts the URL.
    pub(super) fn append(
        &self,
        service: &Service,
        outcomes: &mut Outcomes,
        body: &mut Vec<u8>,
    ) -> Result<()> {
        let is_explored = self.count(service, outcomes);
        let Self { url, translation, found } = self;
        let site = found.as_ref().ok().map(|model| &*model.site);
        let answered = AnsweredUrl { url, translation, is_explored, site };
        json::append(body, &answered).map_err(Error::Json)
    }

    /// Counts what becomes of the URL; whether it is fetched all the same.
    fn count(&self, service: &Service, outcomes: &mut Outcomes) -> bool {
        let Self { url, translation, found } = self;
        let share = service.exploration();
        let is_explored = found.as_ref().is_ok_and(|model| model.explores(url, translation, share));
        let is_changed = translation.canonical != *url && !is_explored;
        outcomes.add(Outcome::of(translation.how, is_changed), is_explored);
        is_explored
    }
}
