//! Reading on several threads: one reads the inputs, others parse pages, and the caller's thread
//! takes the responses in crawl order.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{iter, mem, thread};

use undust_pages::response::Response;
use undust_util::error::{Error, Result};

use super::device::Device;
use super::input::{Found, InputContext};
use super::kind::InputKind;
use super::options::ReadOptions;
use super::report::ReadReport;
use super::revisit::{Identity, Revisits};
use super::source::Source;
use super::{capture, source};

/// A batch is full at this many items or bytes, whichever comes first: large enough to make the
/// hand-over cheap, small enough to save memory.
const BATCH_ITEMS: usize = 128;
const BATCH_BYTES: usize = 512 * 1024;
/// How long an incomplete batch waits for more items.
const PATIENCE: Duration = Duration::from_millis(100);

/// Streams every response of the inputs, in crawl order, to `each`. `-` is standard input.
/// The content of an input decides its kind and compression.
///
/// A damaged record is skipped and counted in the report; the run goes on.
///
/// # Errors
///
/// An input that cannot be opened or read, or is not a crawl; a manifest line that breaks the
/// contract (unless [`ReadOptions::lenient`]); a list of URLs (unless [`ReadOptions::lists`]); a
/// log without hosts (unless [`ReadOptions::host`]). An error of `each` ends the run, too.
pub fn read_all(
    inputs: &[PathBuf],
    options: &ReadOptions,
    each: &mut dyn FnMut(Response) -> Result<()>,
) -> Result<ReadReport> {
    read_by(|emit| read_inputs(inputs, options, emit), options, each)
}

/// [`read_all`] for one input that is already open; errors call it `path`.
pub fn read_source(
    path: &Path,
    mut source: Source,
    options: &ReadOptions,
    each: &mut dyn FnMut(Response) -> Result<()>,
) -> Result<ReadReport> {
    read_by(move |emit| read_open(path, &mut source, options, emit), options, each)
}

/// Passes everything that `read` finds to `each`.
fn read_by(
    read: impl FnOnce(&mut dyn FnMut(Found) -> Result<()>) -> Result<ReadReport> + Send,
    options: &ReadOptions,
    each: &mut dyn FnMut(Response) -> Result<()>,
) -> Result<ReadReport> {
    if options.threads <= 1 {
        on_one_thread(read, options, each)
    } else {
        on_threads(read, options, each)
    }
}

fn on_one_thread(
    read: impl FnOnce(&mut dyn FnMut(Found) -> Result<()>) -> Result<ReadReport>,
    options: &ReadOptions,
    each: &mut dyn FnMut(Response) -> Result<()>,
) -> Result<ReadReport> {
    let mut sink = ResponseSink::new(each);
    let mut done = ReadReport::default();
    let report = read(&mut |item| {
        finish(item, options, &mut done).map_or(Ok(()), |finished| sink.take(finished))
    })?;
    done.add(sink.report);
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
        let context = InputContext { path, options, report: &mut report, emit };
        read_input(&mut source, context)?;
    }
    Ok(report)
}

/// Reads one input that is open.
fn read_open(
    path: &Path,
    source: &mut Source,
    options: &ReadOptions,
    emit: &mut dyn FnMut(Found) -> Result<()>,
) -> Result<ReadReport> {
    let mut report = ReadReport::default();
    read_input(source, InputContext { path, options, report: &mut report, emit })?;
    Ok(report)
}

/// Reads one input by the reader of its kind.
fn read_input(source: &mut Source, mut context: InputContext<'_>) -> Result<()> {
    let Some(kind) = InputKind::of(source, context.path, context.options)? else { return Ok(()) };
    context.report.inputs.push((context.path.to_owned(), kind.name));
    (kind.read)(source, &mut context)
}

/// The work of reading a stream.
#[derive(Debug, Clone, Copy)]
pub struct ReadWork {
    /// Bytes of the stream, decompressed.
    pub bytes: u64,
    /// The same bytes, each counted as often as it was read.
    pub read: u64,
}

/// [`read_all`] for a stream, on the caller's thread.
pub fn read_stream(
    inner: Box<dyn Read + Send>,
    options: &ReadOptions,
    each: &mut dyn FnMut(Response),
) -> Result<(ReadReport, ReadWork)> {
    let path = Path::new("stream");
    let mut source = source::of_stream(path, Device::new(inner, None))?;
    let read = |emit: &mut dyn FnMut(_) -> _| read_open(path, &mut source, options, emit);
    let report = on_one_thread(read, options, &mut |response| {
        each(response);
        Ok(())
    })?;
    Ok((report, ReadWork { bytes: source.position(), read: source.work() }))
}

/// A response, and the identity of its record if it comes from one.
struct Finished(Response, Option<Identity>);

/// Parses an item, which is most of the work on a WARC file.
fn finish(item: Found, options: &ReadOptions, report: &mut ReadReport) -> Option<Finished> {
    match item {
        Found::Response(response) => Some(Finished(*response, None)),
        Found::Page(page) => Some(Finished(capture::read_raw(*page, options, report), None)),
        Found::Record(record) => {
            let response = capture::respond(&record, options, report)?;
            Some(Finished(response, Some(Identity::of(&record))))
        }
    }
}

/// Takes the responses in crawl order and passes them to the caller.
struct ResponseSink<'e> {
    each: &'e mut dyn FnMut(Response) -> Result<()>,
    revisits: Revisits,
    report: ReadReport,
}

impl<'e> ResponseSink<'e> {
    fn new(each: &'e mut dyn FnMut(Response) -> Result<()>) -> ResponseSink<'e> {
        ResponseSink { each, revisits: Revisits::new(), report: ReadReport::default() }
    }

    fn take(&mut self, Finished(mut response, identity): Finished) -> Result<()> {
        if let Some(identity) = identity
            && !self.revisits.apply(&mut response, identity, &mut self.report)
        {
            return Ok(());
        }
        self.report.responses += 1;
        (self.each)(response)
    }
}

/// Items for a worker, and the channel for its answers.
struct Job {
    items: Vec<Found>,
    answer: SyncSender<Answer>,
}

/// Some of the responses of a job: small records may decode to long pages.
type Answer = (Vec<Finished>, ReadReport);

fn on_threads(
    read: impl FnOnce(&mut dyn FnMut(Found) -> Result<()>) -> Result<ReadReport> + Send,
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
            let batch = Mutex::new(WorkerBatch { items: Vec::new(), bytes: 0, jobs, answers });
            let report = with_flushes(&batch, || read(&mut |item| locked(&batch).push(item)));
            // The items before an error are still good.
            let last = locked(&batch).send();
            last.and(report)
        });
        let taken = drain(answer_queue, ResponseSink::new(each));
        let read = reader.join().unwrap_or_else(|_| Err(stopped()));
        let mut report = taken?;
        report.add(read?);
        Ok(report)
    })
}

/// Reads, while another thread hands over items that have waited in the batch: a pipe may be silent
/// for hours, and earlier items must not wait for later ones.
fn with_flushes<R>(batch: &Mutex<WorkerBatch>, read: impl FnOnce() -> R) -> R {
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let flusher = scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                thread::park_timeout(PATIENCE);
                let mut batch = locked(batch);
                // Where nobody takes it any more, the reader must know, too.
                if !batch.items.is_empty() && batch.send().is_err() {
                    return;
                }
            }
        });
        let result = read();
        ended.store(true, Ordering::Relaxed);
        flusher.thread().unpark();
        result
    })
}

/// A poisoned lock means that a thread panicked between two items: the batch is whole.
fn locked(batch: &Mutex<WorkerBatch>) -> MutexGuard<'_, WorkerBatch> {
    batch.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Items being collected for a worker.
struct WorkerBatch {
    items: Vec<Found>,
    bytes: usize,
    jobs: SyncSender<Job>,
    answers: SyncSender<Receiver<Answer>>,
}

impl WorkerBatch {
    fn push(&mut self, item: Found) -> Result<()> {
        self.bytes += item.bytes();
        self.items.push(item);
        let is_full = self.items.len() >= BATCH_ITEMS || self.bytes >= BATCH_BYTES;
        if is_full { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<()> {
        let (answer, answered) = mpsc::sync_channel(1);
        let items = mem::take(&mut self.items);
        self.bytes = 0;
        self.answers.send(answered).map_err(|_| stopped())?;
        self.jobs.send(Job { items, answer }).map_err(|_| stopped())
    }
}

/// Seen only after a panic; otherwise the run ends with the error that stopped it.
fn stopped() -> Error {
    crate::error::CrawlReason::Stopped.into()
}

fn work(jobs: &Mutex<Receiver<Job>>, options: &ReadOptions) {
    // A poisoned lock means that another worker panicked: the run is lost.
    while let Ok(Ok(job)) = jobs.lock().map(|jobs| jobs.recv()) {
        // After an error elsewhere nobody waits for the answers.
        _ = answer(job, options);
    }
}

/// Works on a job, and sends the finished responses whenever they fill a batch. Jobs are taken in
/// order, so a worker that waits here never blocks an earlier job.
fn answer(job: Job, options: &ReadOptions) -> Result<()> {
    let (mut responses, mut report) = (Vec::new(), ReadReport::default());
    let mut bytes = 0;
    for item in job.items {
        let Some(finished) = finish(item, options, &mut report) else { continue };
        bytes += finished.0.bytes();
        responses.push(finished);
        if bytes >= BATCH_BYTES {
            bytes = 0;
            let done = (mem::take(&mut responses), mem::take(&mut report));
            job.answer.send(done).map_err(|_| stopped())?;
        }
    }
    job.answer.send((responses, report)).map_err(|_| stopped())
}

fn drain(answers: Receiver<Receiver<Answer>>, mut sink: ResponseSink<'_>) -> Result<ReadReport> {
    for answer in answers {
        let first = answer.recv().map_err(|_| stopped())?;
        for (responses, report) in iter::once(first).chain(answer) {
            sink.report.add(report);
            responses.into_iter().try_for_each(|finished| sink.take(finished))?;
        }
    }
    Ok(sink.report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Headers, RecordKind, WarcRecord};

    /// The items of each batch that is made of these.
    fn batches(items: impl Iterator<Item = Found>) -> Vec<usize> {
        let ((jobs, sent), (answers, _queue)) = (mpsc::sync_channel(99), mpsc::sync_channel(99));
        let mut batch = WorkerBatch { items: Vec::new(), bytes: 0, jobs, answers };
        items.for_each(|item| batch.push(item).unwrap());
        batch.send().unwrap();
        drop(batch);
        sent.iter().map(|job: Job| job.items.len()).collect()
    }

    #[test]
    fn short_records_of_long_pages_are_answered_in_parts() {
        // As short as a page may get: a hundredth.
        let numbers: String = (0..BATCH_BYTES as u32 / 8).map(|n| format!("{n:06} ")).collect();
        let title = format!("<title>{}", &numbers[..BATCH_BYTES / 2]);
        let body = zstd::encode_all(title.as_bytes(), 1).unwrap();
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: zstd\r\n\r\n";
        let record = |_| {
            let mut headers = Headers::default();
            headers.push_line(b"WARC-Target-URI: http://x/");
            let (kind, block) = (RecordKind::Response, [&head[..], &body].concat());
            Found::Record(Box::new(WarcRecord { kind, headers, block, is_cut: false, swelling: 1 }))
        };
        let (sender, receiver) = mpsc::sync_channel(99);
        let job = Job { items: (0..8).map(record).collect(), answer: sender };
        answer(job, &ReadOptions::default()).unwrap();
        let parts: Vec<usize> = receiver.iter().map(|(responses, _)| responses.len()).collect();
        assert_eq!(parts, [2, 2, 2, 2, 0]);
    }

    #[test]
    fn every_field_counts_against_the_bound_of_a_batch() {
        let long = || Some("x".repeat(BATCH_BYTES / 4));
        let response = || Response { url: "http://x/".into(), ..Response::default() };
        let fields: [fn(&mut Response) -> &mut Option<String>; 7] = [
            |response| &mut response.title,
            |response| &mut response.location,
            |response| &mut response.digest,
            |response| &mut response.canonical,
            |response| &mut response.og_url,
            |response| &mut response.no_vary_search,
            |response| &mut response.time,
        ];
        for field in fields {
            let items = (0..8).map(|_| {
                let mut response = response();
                *field(&mut response) = long();
                Found::Response(Box::new(response))
            });
            assert_eq!(batches(items), [4, 4, 0]);
        }
        let record = |_| {
            let mut headers = Headers::default();
            headers.push_line(format!("X: {}", "x".repeat(BATCH_BYTES / 4)).as_bytes());
            let (kind, block) = (RecordKind::Response, Vec::new());
            Found::Record(Box::new(WarcRecord { kind, headers, block, is_cut: false, swelling: 1 }))
        };
        assert_eq!(batches((0..8).map(record)), [4, 4, 0]);
        let short = (0..BATCH_ITEMS + 1).map(|_| Found::Response(Box::new(response())));
        assert_eq!(batches(short), [BATCH_ITEMS, 1]);
    }
}
