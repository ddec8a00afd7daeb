//! What a crawler says, a line of JSON each.

use serde::Deserialize;

use undust_crawl::response_of_page;
use undust_pages::response::Response;
use undust_pages::simhash::Simhash;

/// Bytes of a report on a line that is wrong.
const MOST_DETAIL: usize = 500;

/// What a crawler says.
pub(super) enum Event {
    /// It asks for a URL.
    Decide(String),
    /// Something came back.
    Saw(Box<Response>),
    /// It wants the figures.
    Stats,
    /// A site is to be learned now.
    Learn(String),
    /// Another crawl begins.
    BeginCrawl,
}

#[derive(Deserialize)]
struct Line {
    decide: Option<String>,
    saw: Option<String>,
    status: Option<u16>,
    title: Option<String>,
    simhash: Option<Simhash>,
    digest: Option<String>,
    html: Option<String>,
    location: Option<String>,
    time: Option<String>,
    stats: Option<bool>,
    learn: Option<String>,
    crawl: Option<String>,
}

impl Event {
    /// Reads a line; what is wrong with it where it is no event.
    pub(super) fn read(line: &[u8]) -> Result<Self, String> {
        let line: Line = serde_json::from_slice(line).map_err(|error| {
            let message = error.to_string();
            let detail = message.split(" at line ").next().unwrap_or(&message);
            detail[..detail.floor_char_boundary(MOST_DETAIL)].to_owned()
        })?;
        match line {
            Line { decide: Some(url), .. } => Ok(Self::Decide(url)),
            Line { saw: Some(_), .. } => {
                line.response().map(|response| Self::Saw(Box::new(response)))
            }
            Line { stats: Some(true), .. } => Ok(Self::Stats),
            Line { learn: Some(site), .. } => Ok(Self::Learn(site)),
            Line { crawl: Some(crawl), .. } if crawl == "begin" => Ok(Self::BeginCrawl),
            _ => Err(
                "a line has one of \"decide\", \"saw\", \"stats\": true, \"learn\" and \"crawl\": \
                      \"begin\""
                    .to_owned(),
            ),
        }
    }
}

impl Line {
    fn response(self) -> Result<Response, String> {
        let Self { status, title, simhash, digest, html, location, time, .. } = self;
        let url = self.saw.unwrap_or_default();
        let Some(status) = status else {
            return Err("\"saw\" needs a \"status\", which is 0 where no answer came".to_owned());
        };
        let read = html.and_then(|html| response_of_page(&url, html.as_bytes(), Some("text/html")));
        let read = read.unwrap_or_default();
        Ok(Response {
            url,
            status,
            title: title.or(read.title),
            simhash: simhash.or(read.simhash),
            digest: digest.or(read.digest),
            location,
            time,
            ..Response::default()
        })
    }
}
