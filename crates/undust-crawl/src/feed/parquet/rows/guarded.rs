//! The crate panics on some damage, such as lengths below zero. Such a panic is an error of the file, and says nothing.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use parquet::errors::ParquetError;

thread_local! {
    /// Whether a panic of this thread is caught here.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does something with a file that may be hostile. What a panic leaves half done is not used again.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
    silence_guarded_threads();
    let before = IS_GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(before);
    let contradiction = "the Parquet data contradict themselves";
    let panicked = |_| io::Error::new(io::ErrorKind::InvalidData, contradiction);
    done.map_err(panicked)?.map_err(as_io)
}

/// Reports a panic of any other thread as before. The hook is that of the whole process and stays,
/// because hooks that come and go with each read would undo one another in threads.
fn silence_guarded_threads() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                before(panic);
            }
        }));
    });
}

/// What the crate says is damage, unless the system says it. What unpacks data has errors of the same type.
fn as_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) if error.raw_os_error().is_some() => *error,
            Ok(error) => io::Error::new(io::ErrorKind::InvalidData, error),
            Err(other) => io::Error::new(io::ErrorKind::InvalidData, other),
        },
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}
