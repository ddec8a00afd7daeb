//! Reading on several threads: one reads the inputs, others do the text work, and the caller's
//! thread takes the responses in crawl order.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use super::intake::{Found, Intake};
use super::kind::InputKind;
use super::options::ReadOptions;
use super::report::ReadReport;
use super::response::Response;
use super::{access_log, capture, manifest, source, url_list, warc};
use crate::error::{Error, Result};

/// A batch is full at this many items or bytes, whichever comes first: enough to make the
/// hand-over cheap, little enough to keep memory small.
const BATCH_ITEMS: usize = 128;
const BATCH_BYTES: usize = 512 * 1024;

/// Streams every response of the inputs, in crawl order, to `each`. `-` is standard input.
/// The content of an input decides its kind and compression.
///
/// A damaged record is skipped and counted in the report; the run goes on.
///
/// # Errors
///
/// An input that cannot be opened or read, or is no crawl; a manifest line that breaks the
/// contract (unless [`ReadOptions::lenient`]); a list of URLs (unless [`ReadOptions::lists`]);
/// a log without hosts (unless [`ReadOptions::host`]). An error of `each` ends the run, too.
pub fn read_all(
    inputs: &[PathBuf],
    options: &ReadOptions,
    each: &mut dyn FnMut(Response) -> Result<()>,
) -> Result<ReadReport> {
    if options.threads <= 1 {
        on_one_thread(inputs, options, each)
    } else {
        on_threads(inputs, options, each)
    }
}

fn on_one_thread(
    inputs: &[PathBuf],
    options: &ReadOptions,
    each: &mut dyn FnMut(Response) -> Result<()>,
) -> Result<ReadReport> {
    let mut done = ReadReport::default();
    let report =
        read_inputs(inputs, options, &mut |item| match finish(item, options, &mut done) {
            Some(response) => {
                done.responses += 1;
                each(response)
            }
            None => Ok(()),
        })?;
    done.add(report);
    Ok(done)
}

/// Reads the inputs one after another.
fn read_inputs(
    inputs: &[PathBuf],
    options: &ReadOptions,
    emit: &mut dyn FnMut(Found) -> Result<()>,
) -> Result<ReadReport> {
    let mut report = ReadReport::default();
    for path in inputs {
        let mut source = source::open(path, options.progress.clone())?;
        let kind = InputKind::of(&mut source, path)?;
        let mut intake = Intake { path, options, report: &mut report, emit };
        match kind {
            InputKind::Empty => {}
            InputKind::Warc => warc::read(&mut source, &mut intake)?,
            InputKind::Manifest => manifest::read(&mut source, &mut intake)?,
            InputKind::AccessLog => access_log::read(&mut source, &mut intake)?,
            InputKind::UrlList => url_list::read(&mut source, &mut intake)?,
        }
    }
    Ok(report)
}

/// The text work on an item, which is most of the work on a WARC.
fn finish(item: Found, options: &ReadOptions, report: &mut ReadReport) -> Option<Response> {
    match item {
        Found::Response(response) => Some(*response),
        Found::Record(record) => capture::respond(&record, options, report),
    }
}

/// Items on their way to a worker, and where its answer goes.
struct Job {
    items: Vec<Found>,
    answer: SyncSender<Answer>,
}

type Answer = (Vec<Response>, ReadReport);

fn on_threads(
    inputs: &[PathBuf],
    options: &ReadOptions,
    each: &mut dyn FnMut(Response) -> Result<()>,
) -> Result<ReadReport> {
    // The answers are queued in the order of the jobs: whichever worker is done first, the
    // order of the crawl stays. The bound of the channels bounds the memory.
    let (jobs, job_queue) = mpsc::sync_channel::<Job>(options.threads);
    let (answers, answer_queue) = mpsc::sync_channel::<Receiver<Answer>>(options.threads);
    let job_queue = Mutex::new(job_queue);
    thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| work(&job_queue, options));
        }
        let reader = scope.spawn(move || {
            let mut batch = Batch { items: Vec::new(), bytes: 0, jobs, answers };
            let report = read_inputs(inputs, options, &mut |item| batch.push(item));
            // The items before an error are still good.
            batch.send().and(report)
        });
        let taken = take_all(answer_queue, each);
        let read = reader.join().unwrap_or_else(|_| Err(stopped()));
        let mut report = taken?;
        report.add(read?);
        Ok(report)
    })
}

/// Items being collected for a worker.
struct Batch {
    items: Vec<Found>,
    bytes: usize,
    jobs: SyncSender<Job>,
    answers: SyncSender<Receiver<Answer>>,
}

impl Batch {
    fn push(&mut self, item: Found) -> Result<()> {
        self.bytes += match &item {
            Found::Record(record) => record.block.len(),
            Found::Response(response) => response.url.len(),
        };
        self.items.push(item);
        let is_full = self.items.len() >= BATCH_ITEMS || self.bytes >= BATCH_BYTES;
        if is_full { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<()> {
        let (answer, answered) = mpsc::sync_channel(1);
        let items = std::mem::take(&mut self.items);
        self.bytes = 0;
        self.answers.send(answered).map_err(|_| stopped())?;
        self.jobs.send(Job { items, answer }).map_err(|_| stopped())
    }
}

/// Seen only after a panic; otherwise the run ends with the error that stopped it.
fn stopped() -> Error {
    Error::Unusable("reading was stopped".into())
}

fn work(jobs: &Mutex<Receiver<Job>>, options: &ReadOptions) {
    loop {
        // A poisoned lock means that another worker panicked: the run is lost.
        let Ok(job) = jobs.lock().map_err(|_| ()).and_then(|jobs| jobs.recv().map_err(|_| ()))
        else {
            return;
        };
        let mut report = ReadReport::default();
        let finished = job.items.into_iter().filter_map(|item| finish(item, options, &mut report));
        let responses = finished.collect();
        // After an error elsewhere nobody waits for the answer.
        _ = job.answer.send((responses, report));
    }
}

fn take_all(
    answers: Receiver<Receiver<Answer>>,
    each: &mut dyn FnMut(Response) -> Result<()>,
) -> Result<ReadReport> {
    let mut total = ReadReport::default();
    for answer in answers {
        let (responses, report) = answer.recv().map_err(|_| stopped())?;
        total.add(report);
        for response in responses {
            total.responses += 1;
            each(response)?;
        }
    }
    Ok(total)
}
