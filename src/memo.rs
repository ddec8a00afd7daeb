//! What was found out once by shape or template, for all threads: looked up for every URL, added
//! to for few.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use rustc_hash::FxHashMap;

/// Most keys that are remembered before all are forgotten: some six megabytes a site. Sites have
/// hundreds; more come from a queue made to have many.
pub(crate) const MOST: usize = 1 << 14;

/// What is known by key.
type Table<T> = FxHashMap<Arc<[u32]>, Arc<T>>;

/// A map that grows. A look-up of what has been in it for a while takes no lock and writes nothing
/// that threads share, so that they do not wait for one another's caches.
///
/// What was added last is behind a lock. It joins the rest once so many look-ups came for it as
/// copying the rest takes steps: a look-up costs a constant time, spread over all.
#[derive(Debug)]
pub(crate) struct Memo<T> {
    settled: ArcSwap<Table<T>>,
    recent: Mutex<Recent<T>>,
}

/// What is not settled yet.
#[derive(Debug)]
struct Recent<T> {
    table: Table<T>,
    /// Look-ups and additions since the last time that all were settled.
    asked: usize,
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        let recent = Recent { table: Table::default(), asked: 0 };
        Self { settled: ArcSwap::default(), recent: Mutex::new(recent) }
    }
}

impl<T> Memo<T> {
    /// Hands what is known of a key to `use_it`; nothing where nothing is known.
    pub(crate) fn ask<R>(&self, key: &[u32], use_it: impl FnOnce(&T) -> R) -> Option<R> {
        if let Some(known) = self.settled.load().get(key) {
            return Some(use_it(known));
        }
        self.ask_recent(key).map(|known| use_it(&known))
    }

    /// The same, with what `find_out` gives where nothing is known; that is remembered.
    pub(crate) fn ask_or<R>(
        &self,
        key: &[u32],
        find_out: impl FnOnce() -> T,
        use_it: impl FnOnce(&T) -> R,
    ) -> R {
        if let Some(known) = self.settled.load().get(key) {
            return use_it(known);
        }
        use_it(&self.ask_recent(key).unwrap_or_else(|| self.add(key, find_out())))
    }

    /// Whether anything is known of a key.
    pub(crate) fn knows(&self, key: &[u32]) -> bool {
        self.ask(key, |_| ()).is_some()
    }

    /// Remembers what was found out.
    pub(crate) fn add(&self, key: &[u32], found: T) -> Arc<T> {
        let found = Arc::new(found);
        let mut recent = self.lock();
        if self.settled.load().len() + recent.table.len() >= MOST {
            self.settled.store(Arc::default());
            recent.table.clear();
        }
        recent.table.insert(key.into(), Arc::clone(&found));
        self.count(&mut recent);
        found
    }

    fn ask_recent(&self, key: &[u32]) -> Option<Arc<T>> {
        let mut recent = self.lock();
        let Some(known) = recent.table.get(key).cloned() else {
            // It may have been settled a moment ago.
            return self.settled.load().get(key).cloned();
        };
        self.count(&mut recent);
        Some(known)
    }

    /// Counts a look-up or an addition, and settles what is recent if it is time.
    fn count(&self, recent: &mut Recent<T>) {
        recent.asked += 1;
        let settled = self.settled.load();
        if recent.asked >= settled.len() {
            let mut all = Table::clone(&settled);
            all.extend(recent.table.drain());
            self.settled.store(Arc::new(all));
            recent.asked = 0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Recent<T>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_out_is_not_asked_again() {
        let memo = Memo::default();
        let mut found_out = 0;
        for round in 0..3 {
            for key in 0..100_u32 {
                let find_out = || {
                    found_out += 1;
                    key
                };
                assert_eq!(memo.ask_or(&[key, 7], find_out, |value| *value), key);
                assert_eq!(memo.knows(&[key + 1, 7]), round > 0 && key < 99, "{key}");
            }
        }
        assert_eq!(found_out, 100);
        assert_eq!(memo.ask(&[7], |value| *value), None);
    }

    #[test]
    fn what_is_looked_up_is_settled() {
        let memo = Memo::default();
        (0..1000).for_each(|key| drop(memo.add(&[key], ())));
        (0..1000).for_each(|_| assert!(memo.knows(&[999])));
        assert_eq!(memo.settled.load().len(), 1000);
        assert!(memo.lock().table.is_empty());
    }

    #[test]
    fn it_does_not_grow_beyond_its_bound() {
        let memo = Memo::default();
        for key in 0..3 * MOST as u32 {
            memo.add(&[key], ());
            assert!(memo.settled.load().len() + memo.lock().table.len() <= MOST);
        }
        assert!(memo.knows(&[3 * MOST as u32 - 1]) && !memo.knows(&[0]));
    }

    #[test]
    fn threads_find_what_others_found() {
        let memo = Memo::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for key in (0..20_000_u32).map(|n| n % 500) {
                        assert_eq!(memo.ask_or(&[key], || key, |value| *value), key);
                    }
                });
            }
        });
    }
}
