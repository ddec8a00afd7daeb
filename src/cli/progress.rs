//! What a person at a terminal sees of a long job, and Ctrl-C.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicI8, AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::table::safe;
use crate::seq2seq::report::{Check, Observer};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How much is told: below 0 only what went wrong, above 0 more than usual.
static LOUDNESS: AtomicI8 = AtomicI8::new(0);

/// What takes less shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between two looks at how far a job is.
const TICK: Duration = Duration::from_millis(100);

/// From now on so much is told.
pub(super) fn set_loudness(quiet: bool, verbose: u8) {
    let loudness = if quiet { -1 } else { verbose.min(9) as i8 };
    LOUDNESS.store(loudness, Ordering::Relaxed);
}

/// Says something on standard error, unless the user asked for quiet; a closed one is nobody's
/// loss.
pub(super) fn tell(text: &str) {
    if LOUDNESS.load(Ordering::Relaxed) >= 0 {
        warn(text);
    }
}

/// Says what went wrong, in any case.
pub(super) fn warn(text: &str) {
    writeln!(std::io::stderr().lock(), "{}", safe(text)).ok();
}

/// Says what only somebody who asked for more wants to know.
pub(super) fn whisper(text: impl FnOnce() -> String) {
    if LOUDNESS.load(Ordering::Relaxed) > 0 {
        warn(&text());
    }
}

/// Whether Ctrl-C was pressed since [`catch_interrupt`].
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// From now on the first Ctrl-C only asks jobs to end in good order; the second one kills.
pub(super) fn catch_interrupt() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Where no handler can be set, Ctrl-C kills as it always did.
        ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            warn("stopping; once more to stop at once");
        })
        .ok();
    });
}

/// Where bars are drawn: on a terminal, and nowhere where quiet was asked for.
fn target() -> ProgressDrawTarget {
    match LOUDNESS.load(Ordering::Relaxed) {
        ..0 => ProgressDrawTarget::hidden(),
        _ => ProgressDrawTarget::stderr(),
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A step that somebody may wait for: from its second second on a line of the terminal tells how
/// far it is, until it is dropped.
#[derive(Debug)]
pub(super) struct Watch {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Bytes read, of `total`; with 0 nobody knows how many there are.
    pub(super) fn bytes(total: u64, read: Arc<AtomicU64>) -> Watch {
        let template = match total {
            0 => "{spinner} {bytes} read in {elapsed}",
            _ => "{wide_bar} {bytes} of {total_bytes}, {eta} left",
        };
        Watch::start(template, "", total, Some(read))
    }

    /// A step of which nobody knows how far it is, such as `clustering 7 pages`.
    pub(super) fn step(what: &str) -> Watch {
        Watch::start("{spinner} {msg}, {elapsed}", what, 0, None)
    }

    fn start(template: &str, what: &str, total: u64, done: Option<Arc<AtomicU64>>) -> Watch {
        let ended = Arc::<AtomicBool>::default();
        if target().is_hidden() {
            return Watch { ended, thread: None };
        }
        let (style, what, has_ended) = (style(template), what.to_owned(), Arc::clone(&ended));
        let begun = Instant::now();
        let thread = thread::spawn(move || {
            let mut bar: Option<ProgressBar> = None;
            while !has_ended.load(Ordering::Relaxed) {
                thread::park_timeout(TICK);
                if begun.elapsed() < PATIENCE {
                    continue;
                }
                let bar = bar.get_or_insert_with(|| {
                    let bar = ProgressBar::with_draw_target(Some(total), target());
                    bar.with_style(style.clone())
                        .with_message(what.clone())
                        .with_elapsed(begun.elapsed())
                });
                match &done {
                    Some(done) => bar.set_position(done.load(Ordering::Relaxed)),
                    None => bar.tick(),
                }
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        });
        Watch { ended, thread: Some(thread) }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It ends by itself, and its panic would be nobody's loss.
            thread.join().ok();
        }
    }
}

/// One line of a terminal for each job at work, and one for all of them; nothing where standard
/// error is no terminal.
#[derive(Debug, Clone)]
pub(super) struct Board {
    lines: MultiProgress,
    all: ProgressBar,
}

impl Board {
    /// A board for so many jobs, called so: `sites`.
    pub(super) fn new(jobs: usize, what: &'static str) -> Board {
        let lines = MultiProgress::with_draw_target(target());
        let template = format!("{{pos}} of {{len}} {what} done in {{elapsed}}, {{eta}} left");
        let all = ProgressBar::new(jobs as u64).with_style(style(&template));
        let all = if jobs > 1 { lines.add(all) } else { ProgressBar::hidden() };
        Board { lines, all }
    }

    /// A board for jobs of which nobody knows how many there are.
    pub(super) fn unknown() -> Board {
        let lines = MultiProgress::with_draw_target(target());
        Board { lines, all: ProgressBar::hidden() }
    }

    /// A line for one job, which tells its time until it is known how many steps it has.
    pub(super) fn line(&self, name: &str) -> Line {
        let bar = self.lines.add(ProgressBar::new(0));
        let bar = bar.with_style(style("{prefix:32!} {spinner} {elapsed}"));
        let bar = bar.with_prefix(safe(name).into_owned());
        bar.enable_steady_tick(TICK);
        Line { bar, all: self.all.clone(), has_steps: AtomicBool::new(false) }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.all.finish_and_clear();
    }
}

/// Watches one job.
#[derive(Debug)]
pub(super) struct Line {
    bar: ProgressBar,
    all: ProgressBar,
    has_steps: AtomicBool,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        self.all.inc(1);
    }
}

impl Observer for Line {
    fn step(&self, step: usize, of: usize, last: Option<&Check>) {
        if !self.has_steps.swap(true, Ordering::Relaxed) {
            self.bar.disable_steady_tick();
            self.bar
                .set_style(style("{prefix:32!} {bar:24} {pos:>6}/{len} steps  {msg}  {eta} left"));
        }
        self.bar.set_length(of as u64);
        self.bar.set_position(step as u64);
        if let Some(check) = last {
            let message = format!("loss {:.4}  exact match {:.3}", check.loss, check.exact_match);
            self.bar.set_message(message);
        }
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}
