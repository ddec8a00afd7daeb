//! Steps of loops, counted: cost tests hold them to a bound, because a test cannot assert time.
//!
//! Only the feature `count-steps` counts. Crates with cost tests ask for it in their
//! dev-dependencies, so what is shipped does not count.

#[cfg(feature = "count-steps")]
use std::cell::Cell;

#[cfg(feature = "count-steps")]
thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts steps of a loop: comparisons, bytes looked at, rules tried. Without the feature
/// `count-steps` it does nothing.
#[inline(always)]
pub fn count(steps: usize) {
    #[cfg(feature = "count-steps")]
    STEPS.with(|counted| counted.set(counted.get().wrapping_add(steps as u64)));
    #[cfg(not(feature = "count-steps"))]
    let _ = steps;
}

/// The steps that `work` takes, and its result. It runs on a thread of its own with a rayon pool
/// of that one thread, so that all its steps are counted and no others.
#[cfg(feature = "count-steps")]
pub fn steps_of<T: Send>(work: impl FnOnce() -> T + Send) -> (u64, T) {
    let counted = || STEPS.with(Cell::get);
    let measured = || {
        let before = counted();
        let result = work();
        (counted().wrapping_sub(before), result)
    };
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(measured),
        Err(_) => measured(),
    }
}

/// Asserts that the work for four times as much input takes less than six times as many steps,
/// and that something was counted. A loop that became quadratic takes sixteen times as many.
///
/// # Panics
///
/// Where that does not hold: this is an assertion of tests.
#[cfg(feature = "count-steps")]
pub fn assert_linear<T: Send>(small: usize, name: &str, work: impl Fn(usize) -> T + Sync) {
    let [few, many] = [small, 4 * small].map(|size| steps_of(|| work(size)).0);
    assert!(few >= small as u64 / 4, "{name}: {few} steps for {small} are not all of them");
    assert!(many < 6 * few, "{name}: {few} steps for {small}, {many} for {}", 4 * small);
}
