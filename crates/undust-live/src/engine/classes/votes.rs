//! What each site of a crawl showed of hypotheses, for the other sites.
//!
//! Thousands of sites run the same software, and most have too few pages to prove anything. So what
//! a hypothesis showed on other sites is known on a site before its first test there, as what other
//! folders showed is known in a folder (docs/evidence.md, section 2). A site has one vote for each
//! level of a class: its tests, which count as three at most, however many pages it has, as much as
//! the prior does. Three such votes are needed. The hosts of one registrable domain may be one
//! author's, so only the first of them votes.
//!
//! Votes are whole numbers, so their sum does not depend on the order in which they come.

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::{FxHashMap, FxHashSet};
use undust_url::site::{SiteBy, site_of};
use xxhash_rust::xxh3::xxh3_64;

use super::tallies::Tally;
use crate::engine::memory::keep_most;

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

/// A level of a class, and a depth.
pub(super) type Level = (u64, u8);

/// A vote, or the sum of several.
type Sum = [i64; 3];

/// The votes of all sites. At most 262,144 levels are kept, those with the most votes.
#[derive(Debug)]
pub struct Votes {
    /// Levels of which a part keeps votes.
    most: usize,
    parts: [RwLock<FxHashMap<Level, Sum>>; PARTS],
    /// Hashes of the registrable domains that vote.
    domains: Mutex<FxHashSet<u64>>,
}

impl Default for Votes {
    fn default() -> Self {
        Self::within(usize::MAX)
    }
}

impl Votes {
    /// Those of an engine that takes this many bytes at most.
    pub(in crate::engine) fn within(memory: usize) -> Self {
        let most = memory / SHARE / PARTS / (2 * size_of::<(Level, Sum)>());
        let parts = std::array::from_fn(|_| RwLock::default());
        Self { most: most.clamp(1, MOST_LEVELS), parts, domains: Mutex::default() }
    }

    /// The voter of a new site.
    pub(in crate::engine) fn voter(self: &Arc<Self>, site: &str) -> Voter {
        let host = site.split('+').next().unwrap_or(site);
        let url = format!("http://{host}/");
        let domain = site_of(&url, SiteBy::Domain);
        let domain = xxh3_64(domain.as_deref().unwrap_or(site).as_bytes());
        let mut domains = self.domains.lock().unwrap_or_else(PoisonError::into_inner);
        Voter { all: Arc::clone(self), votes: domains.insert(domain) }
    }

    fn part(&self, level: Level) -> &RwLock<FxHashMap<Level, Sum>> {
        &self.parts[(level.0 >> 32) as usize % PARTS]
    }

    fn read(&self, level: Level) -> RwLockReadGuard<'_, FxHashMap<Level, Sum>> {
        self.part(level).read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, level: Level) -> RwLockWriteGuard<'_, FxHashMap<Level, Sum>> {
        self.part(level).write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One site among those that vote.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Voter {
    all: Arc<Votes>,
    votes: bool,
}

impl Voter {
    /// Changes the site's vote to what its tests say now.
    pub(super) fn change(&self, level: Level, before: Tally, now: Tally) {
        let (before, now) = (vote(before), vote(now));
        if !self.votes || before == now {
            return;
        }
        let mut part = self.all.write(level);
        let sum = part.entry(level).or_default();
        *sum = std::array::from_fn(|place| sum[place] + now[place] - before[place]);
        if part.len() > self.all.most {
            keep_most(&mut part, self.all.most / 2, |sum| sum[0] as f32 / ONE);
        }
    }

    /// What the other sites showed, where this one has these tests; nothing unless they are several.
    pub(super) fn others(&self, level: Level, own: Tally) -> Tally {
        let Some(sum) = self.all.read(level).get(&level).copied() else {
            return Tally::default();
        };
        let own = if self.votes { vote(own) } else { Sum::default() };
        let [tests, wrong, lost] =
            std::array::from_fn(|place| (sum[place] - own[place]).max(0) as f32 / ONE);
        if tests < SEVERAL * MOST_TESTS { Tally::default() } else { Tally { tests, wrong, lost } }
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
    use super::*;
    use crate::engine::memory::table;

    const LEVEL: Level = (7, 0);

    fn tests(tests: f32, wrong: f32) -> Tally {
        Tally { tests, wrong, lost: 0.0 }
    }

    /// What a site would know that has not tested it, if sites with these tests vote.
    fn known(sites: &[(&str, Tally)]) -> Tally {
        let votes = Arc::<Votes>::default();
        let none = Tally::default();
        sites.iter().for_each(|(site, own)| votes.voter(site).change(LEVEL, none, *own));
        votes.voter("other.test").others(LEVEL, none)
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
        let votes = Arc::<Votes>::default();
        let voters = [0, 1, 2, 3].map(|number| votes.voter(&format!("s{number}.test")));
        let (none, own) = (Tally::default(), tests(5.0, 1.0));
        voters.iter().for_each(|voter| voter.change(LEVEL, none, own));
        assert_eq!(voters[0].others(LEVEL, own), voters[3].others(LEVEL, own));
        assert_eq!(voters[0].others(LEVEL, own).tests, 9.0);
        voters[3].change(LEVEL, own, none);
        assert_eq!(voters[0].others(LEVEL, own), none);
        assert_eq!(voters[3].others(LEVEL, none).tests, 9.0);
    }

    /// Strangers may have endless names of arguments.
    #[test]
    fn the_table_stays_small_and_keeps_what_many_showed() {
        const MEMORY: usize = 4 << 20;
        let votes = Arc::new(Votes::within(MEMORY));
        let voters: Vec<Voter> = (0..5).map(|n| votes.voter(&format!("s{n}.test"))).collect();
        let none = Tally::default();
        voters.iter().for_each(|voter| voter.change(LEVEL, none, tests(3.0, 0.0)));
        for level in 0..1_000_000_u64 {
            voters[0].change((level << 32, 0), none, tests(3.0, 0.0));
        }
        let tables = votes.parts.iter().map(|part| part.read().expect("a part"));
        let bytes: usize = tables.map(|part| table(&part)).sum();
        assert!(bytes <= MEMORY / SHARE, "{bytes}");
        assert_eq!(voters[4].others(LEVEL, tests(3.0, 0.0)).tests, 12.0);
    }
}
