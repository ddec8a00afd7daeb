//! `undust live`: decides for a crawler, line by line, which URLs it fetches.

mod args;
mod describe;
mod memory;
mod until_interrupted;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use undust_crawl::LiveEvent;
use undust_crawl::lines::{ReadLine, read_line};
use undust_live::engine::{DecidedUrl, Live, LiveTotals, SiteStats};
use undust_util::atomic_file::remove_begun_and_exit;
use undust_util::{Error, Result, counted, json};

pub(super) use self::args::{EngineArgs, StateArgs};
pub(super) use self::describe::{explain, show};
pub(super) use self::until_interrupted::UntilInterrupted;
use super::arguments::Settings;
use super::fail;
use super::failure::Failure;
use super::output::when_closed;
use super::progress::{info, warn};
use super::signals::on_first_signal;
use super::standard::{check_inputs, check_output};

/// Decide for a crawler which URLs it fetches, while the crawl goes on.
///
/// Reads JSON lines from standard input and answers on standard output, in order and at once:
/// {"decide": URL} is answered by {"url", "do": "fetch", "probe" or "skip", "form", "why",
/// "fetched", "loss"}. A probe is fetched like others; "fetched" URLs of a skip's form showed its
/// page, and "loss" is the probability that it loses one. {"saw": URL, "status", "title",
/// "simhash", "digest" or "html", "location"} reports the response, and is answered only if a site
/// was learned anew meanwhile: {"learned": SITE}. {"stats": true} prints the figures of each site,
/// {"learn": SITE} learns a site now, {"crawl": "begin"} begins another crawl. A line that is none
/// of these is answered by {"error", "line"}.
///
/// Ask for a URL when it leaves the queue. Skips and what came back are kept in the state, even if the
/// process is killed; the next process goes on from there. Ctrl-C or another signal that ends programs
/// closes the state, and a second one kills.
#[derive(Debug, clap::Args)]
pub(super) struct LiveArgs {
    /// Folder of the state, which `undust cluster --state` and `undust train --state` read, too; it
    /// is made if it does not exist
    #[arg(long, value_name = "FOLDER")]
    state: PathBuf,

    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    kept: StateArgs,

    #[command(flatten)]
    settings: Settings,
}

/// Answers until the input ends.
pub(super) fn run(args: &LiveArgs) -> Result<()> {
    check_inputs(&[PathBuf::from("-")])?;
    check_output(Path::new("-"))?;
    Failure::check_state(&args.state)?;
    let config = args.settings.read()?;
    let options = args.kept.over(args.engine.options(&config));
    let learner = args.engine.learner(config, Some(&args.state));
    let live = Arc::new(Mutex::new(Some(Live::open(&args.state, options, Arc::new(learner))?)));
    end_when_told(&live)?;
    let ran = Pipe { live: &live, number: 0, line: Vec::new() }.run(&mut io::stdin().lock());
    finish(&taken(&live))?;
    let wrong = ran?;
    if wrong > 0 {
        warn(&format!("{} answered by an error", counted(wrong, "line")));
    }
    Ok(())
}

/// Has the first signal that ends a program end the work between two lines, and a crawler that has gone, too.
fn end_when_told(live: &Arc<Mutex<Option<Live>>>) -> Result<()> {
    let end = |live: &Mutex<Option<Live>>, code| {
        let live = taken(live);
        let code = finish(&live).map_or_else(|error| fail(&error, false), |()| code);
        drop(live);
        remove_begun_and_exit(code)
    };
    let (of_signal, of_output) = (Arc::clone(live), Arc::clone(live));
    when_closed(move || end(&of_output, 0));
    on_first_signal(move |code| {
        warn("closing the state; press Ctrl-C again to leave it to the next start");
        end(&of_signal, code)
    })
}

/// Takes what answers, so that nobody else ends it. Where somebody has, this waits for the end of the program.
fn taken(live: &Mutex<Option<Live>>) -> Live {
    let taken = live.lock().unwrap_or_else(PoisonError::into_inner).take();
    taken.unwrap_or_else(|| wait_for_the_end())
}

fn wait_for_the_end() -> ! {
    loop {
        std::thread::park();
    }
}

/// Ends the work on a state, and reports the result.
pub(super) fn finish(live: &Live) -> Result<()> {
    live.settle()?;
    live.keep()?;
    for (site, stats) in live.stats_after(None, MOST_NAMED) {
        info(&format!("{site}: {}", described(&stats)));
    }
    let LiveTotals { sites, fetched, skipped, without_content, .. } = live.totals();
    if without_content > 0 {
        let responses = counted(without_content, "response");
        warn(&format!(
            "{responses} with status 200 and no content to compare, which taught nothing: report \"simhash\", \"digest\" or \"html\""
        ));
    }
    if sites > MOST_NAMED as u64 {
        info(&format!(
            "{} in all: {fetched} fetched, {skipped} skipped; `undust show --state` has each",
            counted(sites, "site")
        ));
    }
    Ok(())
}

/// Sites that are named at the end; a service may have a hundred thousand.
const MOST_NAMED: usize = 20;

/// What was done, what was tested, and what the audits prove.
fn described(stats: &SiteStats) -> String {
    let SiteStats { fetched, distinct, skipped, probes, audits, lost_share_bound, ignored, .. } =
        *stats;
    let SiteStats { crawl, fetched_in_crawl, skipped_in_crawl, .. } = *stats;
    let mut text = match crawl {
        0 | 1 => String::new(),
        _ => format!(
            "in crawl {crawl} {} fetched and {} skipped. In all ",
            counted(fetched_in_crawl, "page"),
            counted(skipped_in_crawl, "URL")
        ),
    };
    text += &format!(
        "{} fetched, {distinct} of them new in this crawl; {} skipped. {} tested skips to come, {} tested skips: {} \
         showed a new page.",
        counted(fetched, "page"),
        counted(skipped, "URL"),
        counted(probes, "probe"),
        counted(audits.audited, "audit"),
        audits.lost,
    );
    text += &bound_in_words(skipped, audits.lost, lost_share_bound);
    if ignored > 0 {
        text += &format!(" {} of a ban ignored.", counted(ignored, "page"));
    }
    text
}

/// What is known of the skips. With few audits the bound says nothing.
fn bound_in_words(skipped: u64, lost: u64, bound: f64) -> String {
    match skipped {
        0 => String::new(),
        _ if bound >= SAYS_NOTHING => " Too few audits to say how many skips lost a page.".into(),
        _ => format!(
            " With 95 % confidence at most {:.1} % of the skips lost a page; {}.",
            100.0 * bound,
            if lost == 0 {
                "twice as many without a loss halve that"
            } else {
                "more skips narrow that"
            }
        ),
    }
}

/// A bound from which on it is not reported.
const SAYS_NOTHING: f64 = 0.9;

/// Time between two lines of progress.
const MINUTE: Duration = Duration::from_secs(60);

struct Pipe<'p> {
    /// None when somebody ends the work.
    live: &'p Mutex<Option<Live>>,
    /// The number of the line that is answered.
    number: u64,
    line: Vec<u8>,
}

impl Pipe<'_> {
    /// Answers line by line; the number of lines that could not be taken.
    fn run(mut self, input: &mut impl BufRead) -> Result<u64> {
        let (mut held, mut wrong, mut reported) = (Vec::new(), 0, Instant::now());
        loop {
            let read = read_line(input, &mut held).map_err(Error::io("read", Path::new("-")))?;
            self.number += 1;
            let line = held.trim_ascii();
            let locked = self.live.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(live) = &*locked else { wait_for_the_end() };
            let is_taken = match read {
                ReadLine::End => return Ok(wrong),
                ReadLine::TooLong => self.refuse("the line is longer than 16 MiB"),
                ReadLine::Whole if line.is_empty() => true,
                ReadLine::Whole => self.answer(live, line),
            };
            if reported.elapsed() >= MINUTE {
                reported = Instant::now();
                let LiveTotals { fetched, distinct, skipped, .. } = live.totals();
                let pages = counted(fetched, "page");
                info(&format!("{pages} fetched, {distinct} of them different, {skipped} skipped"));
            }
            // A crawler may leave its answers alone, and end the program.
            drop(locked);
            wrong += u64::from(!is_taken);
            self.print()?;
        }
    }

    /// Answers a line; whether it could be taken.
    fn answer(&mut self, live: &Live, line: &[u8]) -> bool {
        let taken = match LiveEvent::read(line) {
            Ok(event) => self.take(live, event).map_err(|error| error.to_string()),
            Err(detail) => Err(detail.to_string()),
        };
        match taken {
            Ok(is_taken) => is_taken,
            Err(detail) => self.refuse(&detail),
        }
    }

    /// Does what an event asks for; whether that can be done.
    fn take(&mut self, live: &Live, event: LiveEvent) -> Result<bool> {
        match event {
            LiveEvent::Decide(url) => {
                let decision = live.decide(&url)?;
                self.say(&DecidedUrl { url: &url, decision });
            }
            LiveEvent::Saw(response) => {
                if let Some(site) = live.saw(*response)? {
                    self.say(&serde_json::json!({ "learned": site }));
                }
            }
            LiveEvent::Stats => self.say(&serde_json::json!({ "stats": live.stats() })),
            LiveEvent::Learn(site) if live.learn_now(&site)? => {
                self.say(&serde_json::json!({ "learned": site }));
            }
            LiveEvent::Learn(_) => return Ok(self.refuse("no page of this site has come back")),
            LiveEvent::BeginCrawl => live.begin_crawl()?,
        }
        Ok(true)
    }

    fn refuse(&mut self, detail: &str) -> bool {
        self.say(&serde_json::json!({ "error": detail, "line": self.number }));
        false
    }

    /// Has this printed when nobody is locked.
    fn say(&mut self, answer: &impl Serialize) {
        // Writing to memory cannot fail.
        let _: std::result::Result<_, _> = json::append(&mut self.line, answer);
        self.line.push(b'\n');
    }

    fn print(&mut self) -> Result<()> {
        if self.line.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        let written = out.write_all(&self.line).and_then(|()| out.flush());
        self.line.clear();
        written.map_err(Error::io("write to", Path::new("-")))
    }
}
