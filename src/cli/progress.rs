//! Progress of long jobs on a terminal, messages, and Ctrl-C.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI8, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{
    HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use undust_learn::observer::{Check, Observer};

use super::signals::on_first_signal;
use super::table::safe;

/// The exit code for the signal that arrived; 0 before one did.
static INTERRUPTED: AtomicU8 = AtomicU8::new(0);

/// How much is printed: below 0 only errors, above 0 more than usual.
static LOUDNESS: AtomicI8 = AtomicI8::new(0);

/// Shorter jobs show no progress.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time between two updates.
const TICK: Duration = Duration::from_millis(100);

/// Sets how much is printed.
pub(super) fn set_loudness(quiet: bool, verbose: u8) {
    let loudness = if quiet { -1 } else { verbose.min(9) as i8 };
    LOUDNESS.store(loudness, Ordering::Relaxed);
}

/// How much is printed.
#[cfg(feature = "serve")]
pub(super) fn loudness() -> i8 {
    LOUDNESS.load(Ordering::Relaxed)
}

/// Prints a message on standard error, unless the user asked for quiet. A closed standard error is
/// not a failure.
pub(super) fn info(text: &str) {
    if LOUDNESS.load(Ordering::Relaxed) >= 0 {
        warn(text);
    }
}

/// Prints an error or warning, always, above the lines of progress.
pub(super) fn warn(text: &str) {
    let write = || _ = writeln!(std::io::stderr().lock(), "{}", safe(text));
    match LINES.get() {
        Some(lines) => lines.suspend(write),
        None => write(),
    }
}

/// All lines of progress of the process. Whatever else is printed takes them off the terminal first, or it
/// would be drawn over.
static LINES: OnceLock<MultiProgress> = OnceLock::new();

fn lines() -> &'static MultiProgress {
    LINES.get_or_init(|| MultiProgress::with_draw_target(target()))
}

/// Takes a bar off the terminal.
fn end(bar: &ProgressBar) {
    bar.finish_and_clear();
    lines().remove(bar);
}

/// Prints a message only with --verbose.
pub(super) fn debug(text: impl FnOnce() -> String) {
    if LOUDNESS.load(Ordering::Relaxed) > 0 {
        warn(&text());
    }
}

/// Whether Ctrl-C or another signal asked the program to stop since [`catch_interrupt`].
pub(super) fn interrupted() -> bool {
    interruption().is_some()
}

/// The exit code for the signal that arrived, if one did.
pub(super) fn interruption() -> Option<u8> {
    Some(INTERRUPTED.load(Ordering::Relaxed)).filter(|&code| code > 0)
}

/// From now on the first Ctrl-C asks jobs to finish what they have; the second one kills. The signals
/// that end a program do the same.
pub(super) fn catch_interrupt() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // If no handler can be set, Ctrl-C kills at once.
        on_first_signal(|code| {
            INTERRUPTED.store(code, Ordering::Relaxed);
            warn("stopping; press Ctrl-C again to stop at once");
        })
        .ok();
    });
}

/// Where bars are drawn: on a terminal, unless the user asked for quiet.
fn target() -> ProgressDrawTarget {
    match LOUDNESS.load(Ordering::Relaxed) {
        ..0 => ProgressDrawTarget::hidden(),
        _ => ProgressDrawTarget::stderr(),
    }
}

/// A style. `{left}` is the time left at the average speed so far, empty while that is unknown.
fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("left", |state: &ProgressState, out: &mut dyn fmt::Write| {
        let (done, all) = (state.pos() as f64, state.len().unwrap_or(0) as f64);
        let seconds = state.elapsed().as_secs_f64() * (all - done) / done;
        // Not a number, or negative, if nothing or more than everything is done.
        if let Ok(left) = Duration::try_from_secs_f64(seconds)
            && done < all
        {
            // If this fails, the bar is drawn again in a moment.
            write!(out, ", {:#} left", HumanDuration(left)).ok();
        }
    })
}

/// The bytes of all inputs, if each is a file: the size of a pipe is unknown.
pub(super) fn total_bytes(inputs: &[impl AsRef<Path>]) -> Option<u64> {
    let bytes_of = |input| {
        let metadata = std::fs::metadata(input).ok()?;
        metadata.is_file().then_some(metadata.len())
    };
    inputs.iter().map(bytes_of).sum()
}

/// The progress of one step. After one second a line on the terminal shows it, until this is
/// dropped.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// What is done of it.
    pub done: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Bytes read of `total`; 0 if the total is unknown.
    pub(super) fn bytes(total: u64) -> Watch {
        let template = match total {
            0 => "{spinner} {bytes} read in {elapsed}",
            _ => "{wide_bar} {bytes} of {total_bytes}{left}",
        };
        Watch::start(template, "", total)
    }

    /// A queue that is read from files and written to a file or a pipe. On a terminal the output itself
    /// is the progress.
    pub(super) fn queue(inputs: &[PathBuf]) -> Watch {
        match total_bytes(inputs) {
            Some(total) if !std::io::stdout().is_terminal() => Watch::bytes(total),
            _ => Watch::default(),
        }
    }

    /// A number of units done of `total`; `what` and `unit` are such as `clustering` and `pages`.
    pub(super) fn count(what: &str, total: usize, unit: &str) -> Watch {
        let template = format!("{{msg}} {{wide_bar}} {{pos}} of {{len}} {unit}{{left}}");
        Watch::start(&template, what, total as u64)
    }

    /// A share done, for steps that have no name.
    pub(super) fn share(what: &str, total: u64) -> Watch {
        Watch::start("{msg} {wide_bar} {percent} %{left}", what, total)
    }

    /// A step of unknown length, such as `reading the clusters`.
    pub(super) fn step(what: &str) -> Watch {
        Watch::start("{spinner} {msg}, {elapsed}", what, 0)
    }

    fn start(template: &str, what: &str, total: u64) -> Watch {
        let mut watch = Watch::default();
        if lines().is_hidden() {
            return watch;
        }
        let (style, what) = (style(template), what.to_owned());
        let (done, has_ended) = (Arc::clone(&watch.done), Arc::clone(&watch.ended));
        let begun = Instant::now();
        watch.thread = Some(thread::spawn(move || {
            let mut bar: Option<ProgressBar> = None;
            while !has_ended.load(Ordering::Relaxed) {
                thread::park_timeout(TICK);
                if begun.elapsed() < PATIENCE {
                    continue;
                }
                let bar = bar.get_or_insert_with(|| {
                    let bar = lines().add(ProgressBar::new(total));
                    bar.with_style(style.clone())
                        .with_message(what.clone())
                        .with_elapsed(begun.elapsed())
                });
                bar.set_position(done.load(Ordering::Relaxed));
            }
            bar.iter().for_each(end);
        }));
        watch
    }

    /// One more is done.
    pub(super) fn pass(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A panic of this thread loses nothing.
            thread.join().ok();
        }
    }
}

/// One line for each running job and one for all of them, if standard error is a terminal.
#[derive(Debug)]
pub(super) struct Board {
    all: ProgressBar,
    is_shown: Once,
}

impl Board {
    /// A board for a number of jobs; `what` names them, such as `sites`.
    pub(super) fn new(jobs: usize, what: &'static str) -> Board {
        let template = format!("{{pos}} of {{len}} {what} done in {{elapsed}}");
        let all = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        let board = Board { all: all.with_style(style(&template)), is_shown: Once::new() };
        board.expect(jobs, 0);
        board
    }

    /// Replaces an expected number of jobs by another. A single job needs no line for all.
    pub(super) fn expect(&self, jobs: usize, before: usize) {
        let all = self.all.length().unwrap_or(0) + jobs as u64;
        let all = all.saturating_sub(before as u64);
        self.all.set_length(all);
        if all > 1 {
            self.is_shown.call_once(|| {
                lines().insert(0, self.all.clone());
                // One job may take minutes; the clock must run meanwhile.
                self.all.enable_steady_tick(TICK);
            });
        }
    }

    /// A line for one job. It shows the time until the number of steps is known.
    pub(super) fn line(&self, name: &str) -> ProgressLine {
        let bar = match lines().is_hidden() {
            // A visible bar costs a thread.
            true => ProgressBar::hidden(),
            false => {
                let bar = lines().add(ProgressBar::new(0));
                let bar = bar.with_style(style("{prefix:24!} {spinner} {elapsed}"));
                let bar = bar.with_prefix(safe(name).into_owned());
                bar.enable_steady_tick(TICK);
                bar
            }
        };
        ProgressLine { bar, all: self.all.clone(), work: Mutex::new("") }
    }

    /// Counts a job that was too short for a line.
    pub(super) fn pass(&self) {
        self.all.inc(1);
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        end(&self.all);
    }
}

/// The line of a job whose amount of work is unknown.
const UNCOUNTED: &str = "{prefix:24!} {spinner} {msg} {elapsed}";
/// The line of another. It shows no time left, because one step may take as long as a thousand
/// others.
const COUNTED: &str = "{prefix:24!} {wide_bar} {pos}/{len}  {msg}";
/// The line of training, whose steps are alike. The bar gets what room is left, so that 80 columns show the time, too.
const TRAINED: &str = "{prefix:24!} {wide_bar} {pos}/{len}  {msg}{left}";

/// The progress of one job.
#[derive(Debug)]
pub(super) struct ProgressLine {
    bar: ProgressBar,
    all: ProgressBar,
    /// The work that the bar shows.
    work: Mutex<&'static str>,
}

impl ProgressLine {
    /// Sets the bar, which starts again for other work. It counts if the total is known.
    fn set(&self, what: &'static str, done: usize, of: usize, counted: &str) {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        let is_other = std::mem::replace(&mut *work, what) != what || done == 0;
        self.bar.update(|state| {
            state.set_len(of as u64);
            state.set_pos(done as u64);
        });
        if is_other {
            self.bar.set_style(style(if of == 0 { UNCOUNTED } else { counted }));
            self.bar.set_message(what);
            self.bar.reset_elapsed();
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        end(&self.bar);
        self.all.inc(1);
    }
}

impl Observer for ProgressLine {
    fn step(&self, step: usize, of: usize, last: Option<&Check>) {
        self.set("training", step, of, TRAINED);
        if let Some(check) = last {
            let message = format!("loss {:.4}  exact match {:.3}", check.loss, check.exact_match);
            self.bar.set_message(message);
        }
    }

    fn progress(&self, what: &'static str, done: usize, of: usize) {
        self.set(what, done, of, COUNTED);
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

#[cfg(test)]
mod tests;
