//! What the sites of one state share: what their tests showed, and a part of the budget.
//!
//! The hosts of one registrable domain may be one author's. So the first of them that comes takes
//! part alone: other sites know its tests, and it may borrow.

use std::net::Ipv6Addr;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use undust_url::site::{SiteBy, site_of};

use super::classes::{Level, Tally};
use super::lock::locked;
use super::options::EngineOptions;
use super::secret::Secret;
use super::votes::{KeptVotes, Votes};

/// Pages that a site may be expected to lose beyond its own budget, while all sites together stay
/// within theirs. A site of twenty pages has a budget of 0.12 pages, which is three skips in doubt.
const MOST_BORROWED: f64 = 0.5;

/// One page as a whole number: sums do not depend on the order of the sites.
const ONE: f64 = (1_u64 << 24) as f64;

/// What the sites of one state share.
#[derive(Debug)]
pub struct Shared {
    secret: Secret,
    risk: f64,
    votes: Votes,
    /// Hashes of the registrable domains that take part.
    domains: Mutex<FxHashSet<u64>>,
    /// Distinct pages of all sites.
    distinct: AtomicI64,
    /// What their skips may have lost.
    spent: AtomicI64,
}

/// What they share as it was at one time.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct KeptShared {
    votes: KeptVotes,
    domains: FxHashSet<u64>,
    distinct: i64,
    spent: i64,
}

impl Shared {
    /// Of no site yet.
    pub(super) fn new(options: &EngineOptions, secret: Secret) -> Self {
        Self {
            secret,
            risk: options.risk,
            votes: Votes::within(options.memory),
            domains: Mutex::default(),
            distinct: AtomicI64::new(0),
            spent: AtomicI64::new(0),
        }
    }

    /// Of sites that are replayed with this seed.
    pub fn of_seed(options: &EngineOptions, seed: u64) -> Self {
        Self::new(options, Secret::of_seed(seed))
    }

    /// What it can be made of again.
    pub(super) fn kept(&self) -> KeptShared {
        KeptShared {
            votes: self.votes.kept(),
            domains: locked(&self.domains).clone(),
            distinct: self.distinct.load(Relaxed),
            spent: self.spent.load(Relaxed),
        }
    }

    /// Makes it what it was.
    pub(super) fn restore(&self, KeptShared { votes, domains, distinct, spent }: KeptShared) {
        self.votes.restore(votes);
        *locked(&self.domains) = domains;
        self.distinct.store(distinct, Relaxed);
        self.spent.store(spent, Relaxed);
    }

    /// A new site of this name beside the others, which does not take part yet.
    pub(super) fn candidate(self: &Arc<Self>, site: &str) -> Member {
        let domain = self.secret.hash(&owner(site));
        Member { all: Arc::clone(self), domain, is_first: false }
    }

    /// A new site of this name among the others.
    pub(super) fn member(self: &Arc<Self>, site: &str) -> Member {
        let mut member = self.candidate(site);
        member.take_part();
        member
    }
}

/// Who answers for a site: its registrable domain, its IPv4 address, or its network of IPv6 (the 48
/// bits that a customer may have).
fn owner(site: &str) -> String {
    let host = site.split('+').next().unwrap_or(site);
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let address = inside.and_then(|inside| inside.replace('-', ":").parse::<Ipv6Addr>().ok());
    match address {
        Some(address) => match address.to_ipv4_mapped() {
            Some(address) => address.to_string(),
            None => format!("{:x}", address.to_bits() >> 80),
        },
        None => {
            let url = format!("http://{host}/");
            site_of(&url, SiteBy::Domain).unwrap_or(host.into()).into_owned()
        }
    }
}

/// The distinct pages of a site, and what its skips may have lost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spending {
    pub distinct: u64,
    pub spent: f64,
}

/// One site among the others.
#[derive(Debug, Clone)]
pub(super) struct Member {
    all: Arc<Shared>,
    /// Hash of the registrable domain.
    domain: u64,
    is_first: bool,
}

impl Member {
    /// Has the site take part, unless another host of its domain does.
    pub(super) fn take_part(&mut self) {
        self.is_first |= locked(&self.all.domains).insert(self.domain);
    }

    /// The same of a site that takes part already, or does not.
    pub(super) fn taking_part(self, is_first: bool) -> Self {
        Self { is_first, ..self }
    }

    /// Whether it does.
    pub(super) fn takes_part(&self) -> bool {
        self.is_first
    }

    /// Changes what the others know of the site's tests.
    pub(super) fn change(&self, level: Level, before: Tally, now: Tally) {
        if self.is_first {
            self.all.votes.change(self.part(level), level, before, now);
        }
    }

    /// What the others showed, where this site has these tests; nothing unless they are several.
    pub(super) fn others(&self, level: Level, own: Tally) -> Tally {
        let own = if self.is_first { own } else { Tally::default() };
        self.all.votes.others(self.part(level), level, own)
    }

    /// The part of the votes that has a level, which nobody can aim at.
    fn part(&self, level: Level) -> u64 {
        self.all.secret.hash_number(level.0)
    }

    /// Changes what the site spent. Of that no more counts than a site may spend: what audits prove
    /// to be lost on one is not for the others to pay.
    pub(super) fn spend(&self, before: Spending, now: Spending) {
        if !self.is_first {
            return;
        }
        let distinct = now.distinct as i64 - before.distinct as i64;
        let spent = self.counted(now) - self.counted(before);
        if distinct != 0 {
            self.all.distinct.fetch_add(distinct, Relaxed);
        }
        if spent != 0 {
            self.all.spent.fetch_add(spent, Relaxed);
        }
    }

    fn counted(&self, Spending { distinct, spent }: Spending) -> i64 {
        let most = self.all.risk * distinct as f64 + MOST_BORROWED;
        (spent.min(most) * ONE).round() as i64
    }

    /// Whether the site may spend what is so far beyond its own budget, and so much more than
    /// before. Threads that ask at once may each be told so: then all exceed the budget by a skip a
    /// thread at most.
    pub(super) fn may_borrow(&self, beyond: f64, more: f64) -> bool {
        let spent = self.all.spent.load(Relaxed) as f64 / ONE;
        let budget = self.all.risk * self.all.distinct.load(Relaxed) as f64;
        self.is_first && beyond <= MOST_BORROWED && spent + more <= budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_addresses_has_one_owner() {
        let all = ["[2001-db8--1]", "[2001-db8--2]+8080", "[2001-db8--ffff-1]"].map(owner);
        assert!(all.iter().all(|other| *other == all[0]), "{all:?}");
        let others =
            ["[2001-db8-1--1]", "[--1]", "[--ffff-1.2.3.4]", "127.0.0.1", "127.0.0.2", "localhost"];
        let owners: FxHashSet<_> = others.map(owner).into_iter().chain(all).collect();
        assert_eq!(owners.len(), others.len() + 1, "{owners:?}");
        assert_eq!(owner("a.b.example.co.uk+8080"), "example.co.uk");
        assert_eq!(owner("127.0.0.1+1"), owner("127.0.0.1+2"));
        assert_eq!(owner("[--ffff-7f00-1]"), owner("127.0.0.1"));
    }

    /// What is lent does not bring all sites above their budget.
    #[test]
    fn a_site_borrows_what_the_others_leave() {
        let options = EngineOptions { risk: 0.01, ..EngineOptions::default() };
        let shared = Arc::new(Shared::of_seed(&options, 1));
        let [large, small, other] =
            ["a.test", "b.test", "x.b.test"].map(|site| shared.member(site));
        let none = Spending::default();
        assert!(!small.may_borrow(0.1, 0.1));
        large.spend(none, Spending { distinct: 100, spent: 0.25 });
        assert!(small.may_borrow(0.4, 0.4) && small.may_borrow(0.5, 0.75));
        assert!(!small.may_borrow(0.5, 0.76) && !small.may_borrow(0.51, 0.1));
        assert!(!other.may_borrow(0.1, 0.1));
        let spent = Spending { distinct: 10, spent: 0.6 };
        small.spend(none, spent);
        assert!(small.may_borrow(0.5, 0.24) && !small.may_borrow(0.5, 0.26));
        small.spend(spent, none);
        assert!(small.may_borrow(0.5, 0.75));
        // Other hosts of the domain count nothing, and nobody more than he may spend.
        other.spend(none, Spending { distinct: 1000, spent: 1000.0 });
        small.spend(none, Spending { distinct: 0, spent: 1000.0 });
        assert!(small.may_borrow(0.5, 0.25) && !small.may_borrow(0.5, 0.26));
    }
}
