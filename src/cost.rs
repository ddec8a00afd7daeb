//! What each reader and learner costs on its worst known input: four times as much of it takes less
//! than six times the work. The work is [counted](crate::work), for time is nothing to assert.
//!
//! A loop that became quadratic takes sixteen times the work, and fails.

mod learners;
mod readers;
mod serving;

use crate::work;

/// Asserts that the work for four times as much input is less than six times as much, and that
/// something was counted at all.
pub(crate) fn costs_its_share<T: Send>(small: usize, name: &str, work: impl Fn(usize) -> T + Sync) {
    let [few, many] = [small, 4 * small].map(|count| work::of(|| work(count)).0);
    assert!(few >= small as u64 / 4, "{name}: {few} steps for {small} are not all of them");
    assert!(many < 6 * few, "{name}: {few} steps for {small}, {many} for {}", 4 * small);
}
