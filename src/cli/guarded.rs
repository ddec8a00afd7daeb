//! Panics over a damaged state are told in a sentence, and no backtrace.

use std::panic::{set_hook, take_hook};
use std::process::exit;

use undust_live::clusters::guard::{Panic, panicked};

use super::progress::warn;

/// Does something with a state: where its store is damaged, the error says so alone.
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
