//! Work, counted where loops are: what the tests of cost (`cost/`) hold to its bounds. Time is
//! nothing that a test can ask for. Outside of unit tests counting is nothing at all.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Counts so many steps of a loop: comparisons, bytes looked at, rules tried.
#[inline(always)]
pub(crate) fn count(steps: usize) {
    #[cfg(test)]
    DONE.with(|done| done.set(done.get() + steps as u64));
    let _ = steps;
}

/// The steps that `work` takes. It runs on one thread, so that all of its own are counted and none
/// of another test's.
#[cfg(test)]
pub(crate) fn of<T: Send>(work: impl FnOnce() -> T + Send) -> (u64, T) {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    alone.install(|| {
        let before = DONE.with(Cell::get);
        let result = work();
        (DONE.with(Cell::get) - before, result)
    })
}
