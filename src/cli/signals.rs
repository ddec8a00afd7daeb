//! Signals that ask the program to stop.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use undust_util::atomic_file::remove_begun_and_exit;
use undust_util::error::Result;

use super::failure::Failure;

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 128 + 2;

/// From now on Ctrl-C and the signals that end a program remove unfinished output files. For commands
/// that have nothing to finish.
pub(super) fn leave_nothing() {
    // If no handler can be set, the next run removes them.
    on_signal(|code| remove_begun_and_exit(code)).ok();
}

/// From now on the first Ctrl-C, or signal that ends a program, runs `stop` in a thread of its own, with
/// the exit code that the shell gives such a program. The second one ends the program at once.
pub(super) fn on_first_signal(stop: impl FnOnce(u8) + Send + 'static) -> Result<()> {
    let mut stop = Some(stop);
    on_signal(move |code| {
        let told = stop.take().map(|stop| {
            std::thread::Builder::new().spawn(move || {
                // One that panics must not leave a program that no signal ends.
                if catch_unwind(AssertUnwindSafe(|| stop(code))).is_err() {
                    remove_begun_and_exit(code)
                }
            })
        });
        if !matches!(told, Some(Ok(_))) {
            remove_begun_and_exit(code);
        }
    })
    .map_err(|error| Failure::Signals(error).into())
}

/// From now on a write beyond the limit on the size of files (`ulimit -f`) fails, as on a full disk.
/// Without this the system ends the program within the write, and what it has begun stays.
pub(super) fn fail_beyond_size_limit() {
    // If no handler can be set, the next run removes what stays.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default()).ok();
}

/// From now on Ctrl-C and the signals that end a program only call `describe`, with the exit code
/// that the shell gives such a program. On Linux, a program under `nohup` outlives its terminal.
#[cfg(unix)]
pub(super) fn on_signal(mut describe: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let wait = move || {
        for signal in signals.forever() {
            describe(u8::try_from(128 + signal).unwrap_or(INTERRUPTED));
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Whether the program was started with a signal ignored, as far as Linux says so.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The same on systems that have only Ctrl-C and the like.
#[cfg(not(unix))]
pub(super) fn on_signal(mut describe: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || describe(INTERRUPTED)).map_err(io::Error::other)
}
