//! What the skips so far may have lost, at today's prices.
//!
//! A skip costs the probability that it lost a page. That is believed to be less once its class has
//! passed more tests. So skips are kept in accounts, each of which has one price for all its skips:
//! that of the latest. What a class lost before it failed is for the audits to say, which do not
//! use prices.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::memory::{keep_most, table};

/// Which skips have one price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AccountKey {
    /// A hypothesis on one kind of URLs.
    pub class: u64,
    /// A group with many members; the smaller ones of the class have one account.
    pub group: Option<u64>,
}

impl AccountKey {
    /// What a fetch in the place of such a skip tests: a large group whatever the class, since a
    /// page under endless kinds of URLs has endless classes.
    pub(super) fn tested(&self) -> u64 {
        self.group.unwrap_or(self.class)
    }
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Account {
    skips: u32,
    /// The price of each.
    loss: f32,
}

impl Account {
    fn price(self) -> f64 {
        f64::from(self.skips) * f64::from(self.loss)
    }
}

/// The price of all skips of a crawl.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Spent {
    /// By what a test of the skips tests.
    accounts: FxHashMap<u64, Account>,
    total: f64,
}

impl Spent {
    /// What all skips cost.
    pub(super) fn total(&self) -> f64 {
        self.total.max(0.0)
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        table(&self.accounts)
    }

    /// Forgets the accounts with the fewest skips until all take at most this many bytes. What they cost stays.
    pub(super) fn keep_within(&mut self, most: usize) {
        if self.memory() > most {
            let entry = 2 * size_of::<(u64, Account)>();
            keep_most(&mut self.accounts, most / entry, |account| account.skips as f32);
        }
    }

    /// What they would cost after one more, at this price.
    pub(super) fn after(&self, key: AccountKey, loss: f32) -> f64 {
        let known = self.accounts.get(&key.tested()).copied().unwrap_or_default();
        self.total - known.price() + Account { skips: known.skips + 1, loss }.price()
    }

    /// Counts a skip at this price, which holds for the earlier ones of the account, too.
    pub(super) fn skip(&mut self, key: AccountKey, loss: f32) {
        self.total = self.after(key, loss);
        let account = self.accounts.entry(key.tested()).or_default();
        *account = Account { skips: account.skips.saturating_add(1), loss };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: AccountKey = AccountKey { class: 1, group: None };
    const OTHER: AccountKey = AccountKey { class: 2, group: None };

    fn spent() -> Spent {
        let mut spent = Spent::default();
        [0.5, 0.25].into_iter().for_each(|loss| spent.skip(KEY, loss));
        spent.skip(OTHER, 0.125);
        spent
    }

    #[test]
    fn early_skips_cost_what_is_believed_of_the_latest() {
        let spent = spent();
        assert_eq!(spent.total(), 2.0 * 0.25 + 0.125);
        assert_eq!(spent.after(KEY, 0.0625), 3.0 * 0.0625 + 0.125);
    }
}
