//! A panic in a damaged state is reported as one sentence, without a backtrace.

use std::panic::{set_hook, take_hook};
use std::process::exit;

use undust_live::clusters::guard::{Panic, panicked};

use super::progress::warn;

/// Works with a state. If its store is damaged, only the error is printed.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let before = take_hook();
    set_hook(Box::new(move |panic| match panicked(panic.payload()) {
        Panic::Foreign => before(panic),
        Panic::Caught => {}
        Panic::Last(error) => {
            warn(&format!("undust: {error}"));
            exit(1);
        }
    }));
    work()
}
