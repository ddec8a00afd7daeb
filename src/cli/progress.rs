//! What a person at a terminal sees of a long job, and Ctrl-C.

use std::io::Write;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::seq2seq::report::{Check, Observer};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Says something on standard error; a closed one is nobody's loss.
pub(super) fn tell(text: &str) {
    writeln!(std::io::stderr().lock(), "{text}").ok();
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
            tell("stopping; once more to stop at once");
        })
        .ok();
    });
}

/// One line of a terminal for each network in training; nothing where standard error is no
/// terminal.
#[derive(Debug, Clone, Default)]
pub(super) struct Board {
    lines: MultiProgress,
}

impl Board {
    /// A line for one network.
    pub(super) fn line(&self, name: &str) -> Line {
        let style = "{prefix:32!} {bar:24} {pos:>6}/{len} steps  {msg}  {eta} left";
        let style =
            ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar =
            self.lines.add(ProgressBar::new(0)).with_style(style).with_prefix(name.to_owned());
        Line { bar }
    }
}

/// Watches one network.
#[derive(Debug)]
pub(super) struct Line {
    bar: ProgressBar,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Line {
    fn step(&self, step: usize, of: usize, last: Option<&Check>) {
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
