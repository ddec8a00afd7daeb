//! What a person at a terminal sees of a long job, and Ctrl-C.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI8, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{
    HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use undust_learn::observer::{Check, Observer};

use super::reading::total_bytes;
use super::signals::on_signal;
use super::table::safe;

/// The exit code by which the shell knows the signal that came; 0 before one did.
static INTERRUPTED: AtomicU8 = AtomicU8::new(0);

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

/// How much is told.
#[cfg(feature = "serve")]
pub(super) fn loudness() -> i8 {
    LOUDNESS.load(Ordering::Relaxed)
}

/// Says something on standard error, unless the user asked for quiet; a closed one is nobody's
/// loss.
pub(super) fn info(text: &str) {
    if LOUDNESS.load(Ordering::Relaxed) >= 0 {
        warn(text);
    }
}

/// Says what went wrong, in any case.
pub(super) fn warn(text: &str) {
    writeln!(std::io::stderr().lock(), "{}", safe(text)).ok();
}

/// Says what only somebody who asked for more wants to know.
pub(super) fn debug(text: impl FnOnce() -> String) {
    if LOUDNESS.load(Ordering::Relaxed) > 0 {
        warn(&text());
    }
}

/// Whether Ctrl-C was pressed, or another signal asked for the end, since [`catch_interrupt`].
pub(super) fn interrupted() -> bool {
    interruption().is_some()
}

/// The exit code of what a signal ended, if one did.
pub(super) fn interruption() -> Option<u8> {
    Some(INTERRUPTED.load(Ordering::Relaxed)).filter(|&code| code > 0)
}

/// From now on the first Ctrl-C only asks jobs to end in good order; the second one kills. So do
/// the signals that end a program.
pub(super) fn catch_interrupt() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Where no handler can be set, Ctrl-C kills as it always did.
        on_signal(|code| {
            if INTERRUPTED.swap(code, Ordering::Relaxed) > 0 {
                std::process::exit(code.into());
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

/// A style; `{left}` is the time left if all goes on as it went, or nothing where that cannot be
/// known yet. A bar that is first shown when much is done has no other estimate that holds.
fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("left", |state: &ProgressState, out: &mut dyn fmt::Write| {
        let (done, all) = (state.pos() as f64, state.len().unwrap_or(0) as f64);
        let seconds = state.elapsed().as_secs_f64() * (all - done) / done;
        // Not a number, or below 0, where nothing or more than all is done.
        if let Ok(left) = Duration::try_from_secs_f64(seconds)
            && done < all
        {
            // What cannot be written is drawn anew in a moment.
            write!(out, ", {:#} left", HumanDuration(left)).ok();
        }
    })
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
            _ => "{wide_bar} {bytes} of {total_bytes}{left}",
        };
        Watch::start(template, "", total, Some(read))
    }

    /// A queue that is read from files and goes to a file or a pipe. On a terminal it is its own
    /// progress.
    pub(super) fn queue(inputs: &[PathBuf]) -> (Watch, Arc<AtomicU64>) {
        let read = Arc::<AtomicU64>::default();
        let watch = match total_bytes(inputs) {
            Some(total) if !std::io::stdout().is_terminal() => {
                Watch::bytes(total, Arc::clone(&read))
            }
            _ => Watch { ended: Arc::default(), thread: None },
        };
        (watch, read)
    }

    /// So many done of `total`, what is done and of what: `clustering`, `pages`.
    pub(super) fn count(what: &str, total: usize, unit: &str, done: Arc<AtomicU64>) -> Watch {
        let template = format!("{{msg}} {{wide_bar}} {{pos}} of {{len}} {unit}{{left}}");
        Watch::start(&template, what, total as u64, Some(done))
    }

    /// So many steps done of `total`, which mean nothing to a person.
    pub(super) fn share(what: &str, total: u64, done: Arc<AtomicU64>) -> Watch {
        Watch::start("{msg} {wide_bar} {percent} %{left}", what, total, Some(done))
    }

    /// A step of which nobody knows how far it is, such as `taking 7 URLs in`.
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
#[derive(Debug)]
pub(super) struct Board {
    lines: MultiProgress,
    all: ProgressBar,
    is_shown: Once,
}

impl Board {
    /// A board for so many jobs, called so: `sites`.
    pub(super) fn new(jobs: usize, what: &'static str) -> Board {
        let lines = MultiProgress::with_draw_target(target());
        let template = format!("{{pos}} of {{len}} {what} done in {{elapsed}}{{left}}");
        let all = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        let board = Board { lines, all: all.with_style(style(&template)), is_shown: Once::new() };
        board.expect(jobs, 0);
        board
    }

    /// There are so many jobs in place of so many that were expected before. One alone needs no
    /// line for all.
    pub(super) fn expect(&self, jobs: usize, before: usize) {
        let all = self.all.length().unwrap_or(0) + jobs as u64;
        let all = all.saturating_sub(before as u64);
        self.all.set_length(all);
        if all > 1 {
            self.is_shown.call_once(|| {
                self.lines.insert(0, self.all.clone());
                // One job may take minutes, and the time goes on meanwhile.
                self.all.enable_steady_tick(TICK);
            });
        }
    }

    /// A line for one job, which tells its time until it is known how many steps it has.
    pub(super) fn line(&self, name: &str) -> Line {
        let bar = match self.lines.is_hidden() {
            // One that is seen costs a thread.
            true => ProgressBar::hidden(),
            false => {
                let bar = self.lines.add(ProgressBar::new(0));
                let bar = bar.with_style(style("{prefix:32!} {spinner} {elapsed}"));
                let bar = bar.with_prefix(safe(name).into_owned());
                bar.enable_steady_tick(TICK);
                bar
            }
        };
        Line { bar, all: self.all.clone(), work: Mutex::new("") }
    }

    /// A job is done that was too short for a line.
    pub(super) fn pass(&self) {
        self.all.inc(1);
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
    /// The work at hand, which the bar is of.
    work: Mutex<&'static str>,
}

impl Line {
    /// Sets the bar, which begins anew with other work. It counts in `unit` where it is known how
    /// much there is.
    fn set(&self, what: &'static str, unit: &str, done: usize, of: usize) {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        let is_other = std::mem::replace(&mut *work, what) != what || done == 0;
        self.bar.update(|state| {
            state.set_len(of as u64);
            state.set_pos(done as u64);
        });
        if is_other {
            let template = match of {
                0 => "{prefix:32!} {spinner} {msg} {elapsed}",
                _ => {
                    &format!("{{prefix:32!}} {{bar:24}} {{pos:>6}}/{{len}} {unit}  {{msg}}{{left}}")
                }
            };
            self.bar.set_style(style(template));
            self.bar.set_message(what);
            self.bar.reset_elapsed();
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        self.all.inc(1);
    }
}

impl Observer for Line {
    fn step(&self, step: usize, of: usize, last: Option<&Check>) {
        self.set("training", "steps", step, of);
        if let Some(check) = last {
            let message = format!("loss {:.4}  exact match {:.3}", check.loss, check.exact_match);
            self.bar.set_message(message);
        }
    }

    fn progress(&self, what: &'static str, done: usize, of: usize) {
        self.set(what, "candidates", done, of);
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

#[cfg(test)]
mod tests;
