//! What was found out once by shape or template, for all threads: looked up for every URL, added
//! to for few.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use arc_swap::ArcSwap;
use rustc_hash::FxHashMap;

/// Most keys that are remembered before all are forgotten: some six megabytes a site. Sites have
/// hundreds; more come from a queue made to have many.
const MOST: usize = 1 << 14;

/// Most bytes: keys may be long.
const MOST_BYTES: usize = 1 << 24;

/// Bytes that a memo may hold though [all together](Together) hold too much.
pub(crate) const LEAST_BYTES: usize = 1 << 16;

/// Bytes that a key takes besides itself and what is known of it: allocations, and its place in a
/// table, where a third is free.
const ENTRY: usize = 120;

/// What a memo holds.
pub(crate) trait Weighs {
    /// Bytes beside itself, about.
    fn heap_bytes(&self) -> usize;
}

/// What the memos of several models hold together. Whoever holds the models tells them how much
/// that may be, and makes them forget; until then each that adds to it keeps little.
#[derive(Debug, Default)]
pub(crate) struct SharedBudget {
    held: AtomicUsize,
    most: AtomicUsize,
}

impl SharedBudget {
    /// Bytes that they hold, about.
    pub(crate) fn held(&self) -> usize {
        self.held.load(Relaxed)
    }

    /// Bytes that they may hold from now on.
    pub(crate) fn set_most(&self, bytes: usize) {
        self.most.store(bytes, Relaxed);
    }

    fn is_too_much(&self) -> bool {
        self.held() > self.most.load(Relaxed)
    }
}

/// A memo, whatever it is of.
pub(crate) trait Remembers {
    /// Counts what it holds together with what others do, from now on.
    fn count_in(&self, together: &Arc<SharedBudget>);

    /// Forgets all.
    fn forget(&self);
}

/// What is known by key.
type Table<T> = FxHashMap<Arc<[u32]>, Arc<T>>;

/// A map that grows. A look-up of what has been in it for a while takes no lock and writes nothing
/// that threads share, so that they do not wait for one another's caches.
///
/// What was added last is behind a lock. It joins the rest once so many look-ups came for it as
/// copying the rest takes steps: a look-up costs a constant time, spread over all.
#[derive(Debug)]
pub(crate) struct Cache<T> {
    settled: ArcSwap<Table<T>>,
    recent: Mutex<Recent<T>>,
    held: AtomicUsize,
    together: OnceLock<Arc<SharedBudget>>,
}

/// What is not settled yet.
#[derive(Debug)]
struct Recent<T> {
    table: Table<T>,
    /// Look-ups and additions since the last time that all were settled.
    asked: usize,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        let recent = Mutex::new(Recent { table: Table::default(), asked: 0 });
        let (settled, held, together) = Default::default();
        Self { settled, recent, held, together }
    }
}

impl<T> Cache<T> {
    /// Counts bytes of what was found out after it was added.
    pub(crate) fn charge(&self, bytes: usize) {
        // In this order no more is ever given back than was counted.
        if let Some(together) = self.together.get() {
            together.held.fetch_add(bytes, Relaxed);
        }
        self.held.fetch_add(bytes, Relaxed);
    }

    /// Gives back what was counted.
    fn discharge(&self) {
        let held = self.held.swap(0, Relaxed);
        if let Some(together) = self.together.get() {
            together.held.fetch_sub(held, Relaxed);
        }
    }

    fn clear(&self, recent: &mut Recent<T>) {
        self.settled.store(Arc::default());
        *recent = Recent { table: Table::default(), asked: 0 };
        self.discharge();
    }

    fn lock(&self) -> MutexGuard<'_, Recent<T>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Cache<T> {
    fn drop(&mut self) {
        self.discharge();
    }
}

impl<T: Send + Sync + fmt::Debug> Remembers for Cache<T> {
    fn count_in(&self, together: &Arc<SharedBudget>) {
        let _recent = self.lock();
        if self.together.set(Arc::clone(together)).is_ok() {
            together.held.fetch_add(self.held.load(Relaxed), Relaxed);
        }
    }

    fn forget(&self) {
        self.clear(&mut self.lock());
    }
}

impl<T: Weighs> Cache<T> {
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
        let bytes = ENTRY + size_of_val(key) + size_of::<T>() + found.heap_bytes();
        let found = Arc::new(found);
        let mut recent = self.lock();
        let held = self.held.load(Relaxed);
        let too_much = || self.together.get().is_some_and(|together| together.is_too_much());
        if self.settled.load().len() + recent.table.len() >= MOST
            || held + bytes > MOST_BYTES
            || held > LEAST_BYTES && too_much()
        {
            self.clear(&mut recent);
        }
        self.charge(bytes);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weighs for () {
        fn heap_bytes(&self) -> usize {
            0
        }
    }

    impl Weighs for u32 {
        fn heap_bytes(&self) -> usize {
            *self as usize
        }
    }

    #[test]
    fn what_was_found_out_is_not_asked_again() {
        let cache = Cache::default();
        let mut found_out = 0;
        for round in 0..3 {
            for key in 0..100_u32 {
                let find_out = || {
                    found_out += 1;
                    key
                };
                assert_eq!(cache.ask_or(&[key, 7], find_out, |value| *value), key);
                assert_eq!(cache.knows(&[key + 1, 7]), round > 0 && key < 99, "{key}");
            }
        }
        assert_eq!(found_out, 100);
        assert_eq!(cache.ask(&[7], |value| *value), None);
    }

    #[test]
    fn what_is_looked_up_is_settled() {
        let cache = Cache::default();
        (0..1000).for_each(|key| drop(cache.add(&[key], ())));
        (0..1000).for_each(|_| assert!(cache.knows(&[999])));
        assert_eq!(cache.settled.load().len(), 1000);
        assert!(cache.lock().table.is_empty());
    }

    #[test]
    fn it_does_not_grow_beyond_its_bound() {
        let cache = Cache::default();
        for key in 0..3 * MOST as u32 {
            cache.add(&[key], ());
            assert!(cache.settled.load().len() + cache.lock().table.len() <= MOST);
        }
        assert!(cache.knows(&[3 * MOST as u32 - 1]) && !cache.knows(&[0]));
    }

    /// Long keys, and much that is known of them.
    #[test]
    fn it_holds_so_many_bytes() {
        for (length, weight) in [(1 << 16, 0), (1, 1 << 18)] {
            let (cache, together) = (Cache::default(), Arc::<SharedBudget>::default());
            together.set_most(usize::MAX);
            cache.count_in(&together);
            let mut most = 0;
            for key in 0..300_u32 {
                cache.add(&vec![key; length], weight);
                assert_eq!(cache.held.load(Relaxed), together.held());
                assert!(together.held() <= MOST_BYTES);
                most = most.max(together.held());
            }
            assert!(most > MOST_BYTES * 9 / 10 && cache.knows(&vec![299; length]));
            assert!(!cache.knows(&vec![0; length]));
        }
    }

    /// What is given back is what was counted, whoever drops what.
    #[test]
    fn memos_are_counted_together() {
        let together: Arc<SharedBudget> = Arc::default();
        let [first, second] = [0, 1].map(|_| Cache::default());
        first.add(&[1, 2, 3], 1000);
        first.count_in(&together);
        second.count_in(&together);
        let one = together.held();
        assert!((1000..1200).contains(&one), "{one}");
        second.add(&[1, 2, 3], 1000);
        second.charge(500);
        assert_eq!(together.held(), 2 * one + 500);
        second.forget();
        assert!(!second.knows(&[1, 2, 3]) && first.knows(&[1, 2, 3]));
        assert_eq!(together.held(), one);
        second.add(&[1, 2, 3], 1000);
        drop(first);
        assert_eq!(together.held(), one);
        drop(second);
        assert_eq!(together.held(), 0);
    }

    /// Each keeps little, and goes on.
    #[test]
    fn together_they_hold_little_more_than_they_may() {
        let together: Arc<SharedBudget> = Arc::default();
        together.set_most(4 * LEAST_BYTES);
        let memos = [0; 3].map(|_| Cache::default());
        for key in 0..10_000_u32 {
            for cache in &memos {
                cache.count_in(&together);
                cache.add(&[key], 100);
                assert!(cache.knows(&[key]));
            }
            assert!(together.held() < 5 * LEAST_BYTES, "{}", together.held());
        }
        assert!(together.held() > LEAST_BYTES);
    }

    #[test]
    fn threads_find_what_others_found() {
        let cache = Cache::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for key in (0..20_000_u32).map(|n| n % 500) {
                        assert_eq!(cache.ask_or(&[key], || key, |value| *value), key);
                    }
                });
            }
        });
    }
}
