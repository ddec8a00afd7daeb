//! What each site of a state showed of hypotheses, for the other sites.
//!
//! Thousands of sites run the same software, and most have too few pages to prove anything. So what
//! a hypothesis showed on other sites is known on a site before its first test there, as what other
//! folders showed is known in a folder (docs/evidence.md, section 2). A site has one vote for each
//! level of a class: its tests, which count as three at most, however many pages it has, as much as
//! the prior does. Three such votes are needed.
//!
//! Votes are whole numbers, so their sum does not depend on the order in which they come.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use super::classes::{Level, Tally};
use super::memory::keep_most;

/// Tests that one site counts for, at most: as many as a prior does.
const MOST_TESTS: f32 = 3.0;

/// Sites with as many tests that must have shown it.
const SEVERAL: f32 = 3.0;

/// Parts of the table, so that threads seldom meet in one.
const PARTS: usize = 64;

/// Levels of classes of which a part keeps votes, at most.
const MOST_LEVELS: usize = 1 << 12;

/// The part of the memory of the engine that votes may take, as a divisor.
const SHARE: usize = 32;

/// One test as a whole number.
const ONE: f32 = 65_536.0;

/// A vote, or the sum of several.
pub(super) type Sum = [i64; 3];

/// The votes of all sites. At most 262,144 levels are kept, those with the most votes.
#[derive(Debug)]
pub(super) struct Votes {
    /// Levels of which a part keeps votes.
    most: usize,
    parts: [RwLock<FxHashMap<Level, Sum>>; PARTS],
}

/// The votes as they were at one time, by part.
pub(super) type KeptVotes = Vec<FxHashMap<Level, Sum>>;

impl Votes {
    /// What they can be made of again.
    pub(super) fn kept(&self) -> KeptVotes {
        (0..PARTS as u64).map(|part| self.read(part).clone()).collect()
    }

    /// Makes them what they were.
    pub(super) fn restore(&self, kept: KeptVotes) {
        (0..).zip(kept).for_each(|(part, votes)| *self.write(part) = votes);
    }

    /// Those of an engine that takes this many bytes at most.
    pub(super) fn within(memory: usize) -> Self {
        let most = memory / SHARE / PARTS / (2 * size_of::<(Level, Sum)>());
        let parts = std::array::from_fn(|_| RwLock::default());
        Self { most: most.clamp(1, MOST_LEVELS), parts }
    }

    /// Changes a site's vote to what its tests say now. The key of a level says which part has it.
    pub(super) fn change(&self, key: u64, level: Level, before: Tally, now: Tally) {
        let (before, now) = (vote(before), vote(now));
        if before == now {
            return;
        }
        let mut part = self.write(key);
        // Of a level that was forgotten, the vote as it was is none any more.
        let sum = part.get(&level).copied().unwrap_or(before);
        let sum: Sum =
            std::array::from_fn(|place| (sum[place] + now[place] - before[place]).max(0));
        if sum == Sum::default() {
            part.remove(&level);
        } else {
            part.insert(level, sum);
        }
        if part.len() > self.most {
            keep_most(&mut part, self.most / 2, |sum| sum[0] as f32 / ONE);
        }
    }

    /// What the other sites showed, where one has these tests; nothing unless they are several.
    pub(super) fn others(&self, key: u64, level: Level, own: Tally) -> Tally {
        let Some(sum) = self.read(key).get(&level).copied() else {
            return Tally::default();
        };
        let own = vote(own);
        let [tests, wrong, lost] =
            std::array::from_fn(|place| (sum[place] - own[place]).max(0) as f32 / ONE);
        if tests < SEVERAL * MOST_TESTS { Tally::default() } else { Tally { tests, wrong, lost } }
    }

    fn read(&self, key: u64) -> RwLockReadGuard<'_, FxHashMap<Level, Sum>> {
        self.parts[key as usize % PARTS].read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, key: u64) -> RwLockWriteGuard<'_, FxHashMap<Level, Sum>> {
        self.parts[key as usize % PARTS].write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The vote of a site with these tests.
fn vote(tests: Tally) -> Sum {
    let share = MOST_TESTS / tests.tests.max(MOST_TESTS);
    let Tally { tests, wrong, lost } = tests.times(share);
    [tests, wrong, lost].map(|count| (count * ONE).round() as i64)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::memory::table;
    use crate::engine::options::EngineOptions;
    use crate::engine::shared::Shared;

    const LEVEL: Level = (7, 0);

    fn tests(tests: f32, wrong: f32) -> Tally {
        Tally { tests, wrong, lost: 0.0 }
    }

    fn shared() -> Arc<Shared> {
        Arc::new(Shared::of_seed(&EngineOptions::default(), 1))
    }

    /// What a site would know that has not tested it, if sites with these tests vote.
    fn known(sites: &[(&str, Tally)]) -> Tally {
        let shared = shared();
        let none = Tally::default();
        sites.iter().for_each(|(site, own)| shared.member(site).change(LEVEL, none, *own));
        shared.member("other.test").others(LEVEL, none)
    }

    #[test]
    fn a_site_counts_three_tests_at_most_and_a_domain_once() {
        let all = |tests: Tally| ["a.test", "b.test", "c.test"].map(|site| (site, tests));
        assert_eq!(known(&all(tests(40.0, 10.0))), tests(9.0, 2.25));
        assert_eq!(known(&all(tests(2.0, 0.0))), Tally::default());
        assert_eq!(known(&all(tests(40.0, 0.0))[..2]), Tally::default());
        let one = ["a.test", "b.a.test", "a.test+8080", "x.y.a.test"];
        assert_eq!(known(&one.map(|site| (site, tests(40.0, 0.0)))), Tally::default());
        let addresses = ["127.0.0.1", "127.0.0.2", "[2001-db8--1]", "localhost"];
        assert_eq!(known(&addresses.map(|site| (site, tests(3.0, 0.0)))), tests(12.0, 0.0));
    }

    #[test]
    fn a_site_does_not_count_its_own_vote_and_can_take_it_back() {
        let shared = shared();
        let sites = [0, 1, 2, 3].map(|number| shared.member(&format!("s{number}.test")));
        let (none, own) = (Tally::default(), tests(5.0, 1.0));
        sites.iter().for_each(|site| site.change(LEVEL, none, own));
        assert_eq!(sites[0].others(LEVEL, own), sites[3].others(LEVEL, own));
        assert_eq!(sites[0].others(LEVEL, own).tests, 9.0);
        sites[3].change(LEVEL, own, none);
        assert_eq!(sites[0].others(LEVEL, own), none);
        assert_eq!(sites[3].others(LEVEL, none).tests, 9.0);
    }

    /// Strangers may have endless names of arguments.
    #[test]
    fn the_table_stays_small_and_keeps_what_many_showed() {
        const MEMORY: usize = 4 << 20;
        let votes = Votes::within(MEMORY);
        let none = Tally::default();
        (0..5).for_each(|_| votes.change(0, LEVEL, none, tests(3.0, 0.0)));
        for level in 0..1_000_000_u64 {
            votes.change(level, (level << 32, 0), none, tests(3.0, 0.0));
        }
        let tables = votes.parts.iter().map(|part| part.read().expect("a part"));
        let bytes: usize = tables.map(|part| table(&part)).sum();
        assert!(bytes <= MEMORY / SHARE, "{bytes}");
        assert_eq!(votes.others(0, LEVEL, tests(3.0, 0.0)).tests, 12.0);
    }

    /// Sites go on voting on levels that were forgotten meanwhile: what they take back is not there.
    #[test]
    fn a_vote_on_what_was_forgotten_counts_what_is_new() {
        let votes = Votes::within(0);
        let (none, one, two) = (Tally::default(), tests(1.0, 0.0), tests(2.0, 1.0));
        votes.change(0, LEVEL, none, one);
        votes.change(0, (8, 0), none, one);
        assert!(votes.parts[0].read().expect("a part").is_empty());
        votes.change(0, LEVEL, two, one);
        votes.change(0, LEVEL, one, none);
        let part = votes.parts[0].read().expect("a part");
        assert!(part.values().flatten().all(|count| *count >= 0), "{part:?}");
    }
}
