//! Signals that ask the program to end.

use std::io;

use undust_util::atomic_file::remove_begun_and_exit;

/// What the shell tells of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 128 + 2;

/// From now on Ctrl-C and the signals that end a program leave no output that is not whole beside its place. For
/// commands that have nothing to bring to an end.
pub(super) fn leave_nothing() {
    // Where no handler can be set, the next run removes it.
    on_signal(|code| remove_begun_and_exit(code)).ok();
}

/// From now on Ctrl-C and the signals that end a program only tell of themselves: each time, by the
/// exit code that the shell knows it by.
#[cfg(unix)]
pub(super) fn on_signal(mut describe: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let wait = move || {
        for signal in signals.forever() {
            describe(u8::try_from(128 + signal).unwrap_or(INTERRUPTED));
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// The same where there are no signals but Ctrl-C and its like.
#[cfg(not(unix))]
pub(super) fn on_signal(mut describe: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || describe(INTERRUPTED)).map_err(io::Error::other)
}
