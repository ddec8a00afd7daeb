//! `POST /v1/translate`: many URLs, as lines or as JSON.

use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use http_body_util::BodyExt;
use rayon::prelude::*;
use serde::Deserialize;
use tokio::time::timeout;

use undust_model::registry::{Models, Pinned};
use undust_model::translation::Canonicalizer;
use undust_util::error::Result;

use super::body_kind::BodyKind;
use super::failure::{Answer, Failure, answer, json, text};
use super::metrics::Outcomes;
use super::one::AnsweredBy;
use super::query::AnswerFormat;
use super::state::Service;
use super::stream;
use super::work::HELD;

/// URLs that one thread takes at a time.
const CHUNK: usize = 128;

/// Bytes of a body too long that are read, so that its sender comes to read the answer.
const READ_AWAY: usize = 1 << 26;

/// Lines are answered with lines, JSON with JSON.
pub(super) async fn translate(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let format = AnswerFormat::accepted(request.headers());
    let kind = BodyKind::of_question(request.headers())?;
    let body = request.into_body();
    if kind == BodyKind::Json {
        let urls = whole(&service, body).await?;
        return Ok(json(batch(&service, urls).await?));
    }
    let format = if format == AnswerFormat::Text { format } else { AnswerFormat::JsonLines };
    let is_short =
        body.size_hint().exact().is_some_and(|size| size <= service.limits().body as u64);
    let body = if is_short {
        let lines = whole(&service, body).await?;
        Body::from(service.lines(format, lines, HELD).await?)
    } else {
        stream::translated(&service, format, body)
    };
    Ok(if format == AnswerFormat::Text { text(body) } else { answer("application/jsonl", body) })
}

/// A body that is held whole.
pub(super) async fn whole(service: &Service, mut body: Body) -> Result<Bytes, Failure> {
    let most = service.limits().body;
    let read = async {
        let (mut held, mut length) = (Vec::new(), 0_usize);
        while let Some(frame) = body.frame().await {
            let gone = |_| Failure::bad("the body broke off");
            let Ok(data) = frame.map_err(gone)?.into_data() else { continue };
            let is_alone = held.is_empty() && body.is_end_stream();
            length += data.len();
            if length > most {
                held = Vec::new();
                if length > READ_AWAY {
                    break;
                }
            } else if is_alone {
                return Ok(data);
            } else {
                held.extend_from_slice(&data);
            }
        }
        if length > most {
            let sentence = format!(
                "the body is larger than {most} bytes: send less at once (lines that are to be \
                 translated may be as many as you like)"
            );
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, sentence));
        }
        Ok(held.into())
    };
    let time = service.limits().body_time;
    timeout(time, read).await.unwrap_or_else(|_| {
        let sentence = format!("the body took longer than {} s", time.as_secs_f64());
        Err(Failure::new(StatusCode::REQUEST_TIMEOUT, sentence))
    })
}

/// What a JSON body holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UrlList {
    urls: Vec<String>,
}

/// URLs that came as JSON.
pub(super) struct JsonUrls {
    pub urls: Vec<String>,
    /// Whether they came as a list, rather than as an object that holds one.
    is_list: bool,
}

impl JsonUrls {
    pub(super) fn read(service: &Service, body: &[u8]) -> Result<Self, Failure> {
        let no_batch = |error: serde_json::Error| {
            Failure::bad(format!("the body is neither [\"URL\", …] nor {{\"urls\": […]}}: {error}"))
        };
        let is_list = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
        let urls: Vec<String> = if is_list {
            serde_json::from_slice(body).map_err(no_batch)?
        } else {
            serde_json::from_slice::<UrlList>(body).map_err(no_batch)?.urls
        };
        let most = service.limits().urls;
        if urls.len() > most {
            let sentence =
                format!("{} URLs are too many for one request, which takes {most}", urls.len());
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, sentence));
        }
        Ok(Self { urls, is_list })
    }

    /// The answer that holds an object for each URL, with commas between: a list to a list.
    pub(super) fn answer(&self, objects: &[u8]) -> Vec<u8> {
        let (before, after): (&[u8], &[u8]) =
            if self.is_list { (b"[", b"]") } else { (b"{\"results\":[", b"]}") };
        [before, objects, after].concat()
    }
}

/// The answer to URLs that came as JSON.
async fn batch(service: &Arc<Service>, body: Bytes) -> Result<Vec<u8>, Failure> {
    let list = JsonUrls::read(service, &body)?;
    drop(body);
    let work = move |service: &Service| {
        let (objects, outcomes) = objects(service, &list.urls)?;
        Ok((list.answer(&objects), outcomes))
    };
    service.work(work).await
}

/// The objects of URLs, with commas between.
fn objects(service: &Service, urls: &[String]) -> Result<(Vec<u8>, Outcomes)> {
    let models = Pinned::new(&service.registry);
    models.prepare(&mut urls.iter().map(String::as_str));
    let chunk = |urls: &[String]| {
        let (mut body, mut outcomes) = (Vec::new(), Outcomes::default());
        for url in urls {
            let answered = AnsweredBy::of(url, models.model(url));
            answered.append(service, &mut outcomes, &mut body)?;
            body.push(b',');
        }
        Ok((body, outcomes))
    };
    let chunks: Result<Vec<_>> = urls.par_chunks(CHUNK).map(chunk).collect();
    let chunks = chunks?;
    let outcomes = chunks.iter().fold(Outcomes::default(), |sum, (_, some)| sum.merge(*some));
    let mut list = chunks.iter().flat_map(|(body, _)| body).copied().collect::<Vec<u8>>();
    list.pop();
    Ok((list, outcomes))
}
