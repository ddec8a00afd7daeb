//! `/v1/live`: which URLs a crawler fetches, and what came back.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::Value;

use undust_crawl::LiveEvent;
use undust_live::Live;
use undust_live::engine::{DecidedUrl, Decision, SiteStats};
use undust_util::error::{Error, Result};
use undust_util::json::{append, to_vec};

use super::batch::{JsonUrls, whole};
use super::body_kind::BodyKind;
use super::failure::{Answer, Failure, answer, json};
use super::metrics::Outcomes;
use super::query;
use super::state::Service;

/// Events of one request whose errors are reported one by one.
const MOST_FAULTS: usize = 10;

/// Sites of one answer.
const MOST_SITES: usize = 1000;

impl Service {
    fn live(&self) -> Result<&Arc<Live>, Failure> {
        let sentence = "this service does not decide in the crawl: it was started without --live";
        self.options.live.as_ref().ok_or_else(|| Failure::new(StatusCode::FORBIDDEN, sentence))
    }

    /// Does a piece of work with the live engine.
    async fn live_work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self, &Live) -> Result<T> + Send + 'static,
    ) -> Result<T, Failure> {
        let live = Arc::clone(self.live()?);
        self.work(move |service| Ok((work(service, &live)?, Outcomes::default()))).await
    }
}

/// Decides upon URLs in their order, which are lines or JSON.
pub(super) async fn decide(State(service): State<Arc<Service>>, request: Request) -> Answer {
    service.live()?;
    let kind = BodyKind::of_change(request.headers())?;
    let body = whole(&service, request.into_body()).await?;
    if kind == BodyKind::Json {
        let list = JsonUrls::read(&service, &body)?;
        let work = move |service: &Service, live: &Live| {
            let urls = list.urls.iter().map(String::as_str);
            let mut objects = decided(service, live, urls, b',')?;
            objects.pop();
            Ok(list.answer(&objects))
        };
        return Ok(json(service.live_work(work).await?));
    }
    let urls = line_urls(&body)?;
    let work = move |service: &Service, live: &Live| {
        decided(service, live, urls.iter().map(String::as_str), b'\n')
    };
    Ok(answer("application/jsonl", service.live_work(work).await?))
}

/// The URLs of lines: each is one as it is, or as JSON writes a text.
fn line_urls(body: &Bytes) -> Result<Vec<String>, Failure> {
    let text = std::str::from_utf8(body).map_err(|_| Failure::bad("the body is not UTF-8"))?;
    let url = |(line, number): (&str, usize)| match line.starts_with('"') {
        true => serde_json::from_str(line)
            .map_err(|error| Failure::bad(format!("line {number} is no text in JSON: {error}"))),
        false => Ok(line.to_owned()),
    };
    let lines = text.lines().map(str::trim).zip(1..);
    lines.filter(|(line, _)| !line.is_empty()).map(url).collect()
}

/// An object for each URL, with this behind it.
fn decided<'u>(
    service: &Service,
    live: &Live,
    urls: impl Iterator<Item = &'u str>,
    end: u8,
) -> Result<Vec<u8>> {
    let mut objects = Vec::new();
    for url in urls {
        let decision = live.decide(url)?;
        service.counted.live.decided(match decision {
            Decision::Fetch => "fetch",
            Decision::Skip { .. } => "skip",
            Decision::Probe { .. } => "probe",
        });
        append(&mut objects, &DecidedUrl { url, decision }).map_err(Error::Json)?;
        objects.push(end);
    }
    Ok(objects)
}

/// What became of events.
#[derive(Default, Serialize)]
struct Taken {
    /// Events that were taken.
    taken: u64,
    /// Events that are none.
    wrong: u64,
    /// Of those, the first ones.
    faults: Vec<Fault>,
    /// Sites that were learned anew meanwhile.
    learned: BTreeSet<Box<str>>,
}

/// What is wrong with an event.
#[derive(Serialize)]
struct Fault {
    /// Its number in the body, from 1.
    event: usize,
    error: String,
}

/// Takes what came back: an object or a list of them, or one a line. What is wrong with one costs no other.
pub(super) async fn saw(State(service): State<Arc<Service>>, request: Request) -> Answer {
    service.live()?;
    let kind = BodyKind::of_change(request.headers())?;
    let body = whole(&service, request.into_body()).await?;
    let events = match kind {
        BodyKind::Json => listed(&body)?,
        BodyKind::Lines => lines(&body),
    };
    let work = move |service: &Service, live: &Live| {
        let mut taken = Taken::default();
        for (event, number) in events.into_iter().zip(1..) {
            match event {
                Ok(LiveEvent::Saw(response)) => {
                    taken.learned.extend(live.saw(*response)?);
                    taken.taken += 1;
                }
                Ok(_) => taken.is_wrong(number, "only what came back is taken here".to_owned()),
                Err(error) => taken.is_wrong(number, error),
            }
        }
        service.counted.live.responses.inc_by(taken.taken);
        to_vec(&taken).map_err(Error::Json)
    };
    Ok(json(service.live_work(work).await?))
}

impl Taken {
    fn is_wrong(&mut self, event: usize, error: String) {
        self.wrong += 1;
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(Fault { event, error });
        }
    }
}

type ReadEvents = Vec<Result<LiveEvent, String>>;

fn lines(body: &Bytes) -> ReadEvents {
    let lines = body.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty()).map(LiveEvent::read).collect()
}

fn listed(body: &Bytes) -> Result<ReadEvents, Failure> {
    let wrong = |error: serde_json::Error| {
        let sentence = "the body is neither {\"url\": …, \"status\": …} nor a list of such objects";
        Failure::bad(format!("{sentence}: {error}"))
    };
    Ok(match serde_json::from_slice(body).map_err(wrong)? {
        Value::Array(events) => events.into_iter().map(LiveEvent::of_value).collect(),
        event => vec![LiveEvent::of_value(event)],
    })
}

/// Begins another crawl: every page is to be found again.
pub(super) async fn begin_crawl(State(service): State<Arc<Service>>, request: Request) -> Answer {
    service.live()?;
    BodyKind::of_change(request.headers())?;
    let work = |_: &Service, live: &Live| {
        live.begin_crawl()?;
        to_vec(&serde_json::json!({ "sites": live.totals().sites })).map_err(Error::Json)
    };
    Ok(json(service.live_work(work).await?))
}

/// The figures of some sites, in the order of their names.
#[derive(Serialize)]
struct Figures {
    sites: BTreeMap<String, SiteStats>,
    /// The value of `after` with which the rest is asked for.
    next: Option<String>,
}

/// The figures of each site, some sites at a time.
pub(super) async fn stats(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let [after, limit] = query::parameters(request.uri().query(), ["after", "limit"])?;
    let limit = limit.map_or(Ok(MOST_SITES), |limit| {
        let limit = limit.parse().ok().filter(|limit| (1..=MOST_SITES).contains(limit));
        limit.ok_or_else(|| Failure::bad(format!("`limit` is a number from 1 to {MOST_SITES}")))
    })?;
    let after = after.map(Cow::into_owned);
    let work = move |_: &Service, live: &Live| {
        let mut sites = live.stats_after(after.as_deref(), limit + 1);
        let is_all = sites.len() <= limit;
        sites.truncate(limit);
        let next = if is_all { None } else { sites.last().map(|(site, _)| site.clone()) };
        let figures = Figures { sites: sites.into_iter().collect(), next };
        to_vec(&figures).map_err(Error::Json)
    };
    Ok(json(service.live_work(work).await?))
}
