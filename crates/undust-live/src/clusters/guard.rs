//! A damaged store makes redb panic in many places. None of them is to end the program.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::fault::Stored;
use crate::error::{Error, Result, StateReason};

thread_local! {
    /// What this thread does with a store.
    static GUARDED: RefCell<Option<Guarded>> = const { RefCell::new(None) };
}

struct Guarded {
    path: PathBuf,
    panics: usize,
}

/// What becomes of a panic.
pub enum Panic {
    /// What would without us: no store is at work.
    Foreign,
    /// It becomes an error.
    Caught,
    /// It ends the program, because redb was clearing up after another panic; this is the message.
    Last(Error),
}

/// What becomes of a panic of this thread, for a hook. Each must be reported to it.
pub fn panicked(said: &(dyn Any + Send)) -> Panic {
    GUARDED.with_borrow_mut(|guarded| {
        let Some(guarded) = guarded else { return Panic::Foreign };
        guarded.panics += 1;
        match guarded.panics {
            1 => Panic::Caught,
            _ => Panic::Last(damaged(&guarded.path, said)),
        }
    })
}

/// Does something with the store at `path`; where that panics, the store is damaged. Nothing of what
/// was being changed is kept then.
pub(super) fn guarded<T>(path: &Path, work: impl FnOnce() -> Stored<T>) -> Result<T> {
    caught(path, work)?.map_err(|fault| fault.at(path))
}

/// The same, with something that has no faults but panics.
pub(super) fn caught<T>(path: &Path, work: impl FnOnce() -> T) -> Result<T> {
    let before = GUARDED.replace(Some(Guarded { path: path.to_path_buf(), panics: 0 }));
    // What a panic leaves half done is a transaction, which is then never committed.
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    done.map_err(|said| damaged(path, &*said))
}

/// The error with the first line of the message of a panic.
fn damaged(path: &Path, said: &(dyn Any + Send)) -> Error {
    let text = said.downcast_ref::<&str>().copied();
    let text = text.or_else(|| said.downcast_ref::<String>().map(String::as_str));
    let why = text.and_then(|text| text.lines().next()).unwrap_or("its content is inconsistent");
    Error::at(path, StateReason::Damaged { detail: why.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_sentence_and_is_told_to_the_hook() {
        let path = Path::new("state");
        let is_foreign = || matches!(panicked(&"x"), Panic::Foreign);
        assert!(is_foreign());
        let caught = guarded(path, || -> Stored<()> {
            assert!(matches!(panicked(&"first"), Panic::Caught));
            // Another store, as a batch opens none within a batch.
            assert_eq!(caught(path, || 1).expect("no panic"), 1);
            let Panic::Last(error) = panicked(&"second") else { panic!("not the last") };
            assert!(error.to_string().contains("is damaged (second); "), "{error}");
            panic!("a row\nleft: 1")
        });
        let described = caught.expect_err("a panic").to_string();
        assert_eq!(described, "state state: is damaged (a row); make it again from its crawls");
        assert!(is_foreign());
    }
}
