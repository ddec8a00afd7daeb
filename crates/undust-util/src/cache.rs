//! What was found out once by shape or template, for all threads: looked up for every URL, added
//! to for few.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use papaya::HashMap;
use rustc_hash::FxBuildHasher;

/// Most keys that are remembered before all are forgotten: some six megabytes a site. Sites have
/// hundreds; more come from a queue made to have many.
const MOST: usize = 1 << 14;

/// Most bytes: keys may be long.
const MOST_BYTES: usize = 1 << 24;

/// Bytes that a key takes besides itself and what is known of it: allocations, and its place in a
/// table, where a third is free.
const ENTRY: usize = 120;

/// Bytes that an allocation takes besides what is in it.
pub const ALLOCATION: usize = 16;

/// What a cache holds.
pub trait Weighs {
    /// Bytes on the heap, about, without the value itself.
    fn heap_bytes(&self) -> usize;
}

/// What the caches of several models hold together, and how much that may be.
#[derive(Debug)]
pub struct MemoryLimit {
    held: AtomicUsize,
    caches: AtomicUsize,
    most: usize,
}

impl MemoryLimit {
    /// The budget of caches that together hold at most about this number of bytes.
    ///
    /// Where they hold half of that, a cache that grows beyond its part of the half forgets all. The
    /// idle ones then hold one half at most, and those at work the other.
    pub fn new(most: usize) -> Self {
        Self { held: AtomicUsize::new(0), caches: AtomicUsize::new(0), most }
    }

    /// Bytes that they hold, about.
    pub fn held(&self) -> usize {
        self.held.load(Relaxed)
    }

    /// Whether a cache of this number of bytes takes more than its share.
    fn exceeds(&self, bytes: usize) -> bool {
        let half = self.most / 2;
        self.held() > half && bytes > half / self.caches.load(Relaxed).max(1)
    }
}

/// A cache, whatever it is of.
pub trait SharedCache {
    /// Counts what it holds together with what others do, from now on.
    fn share(&self, limit: &Arc<MemoryLimit>);
}

/// A map that grows, and forgets all where it grew too large. A look-up takes no lock and writes
/// nothing that threads share, so that they do not wait for one another's processor caches.
pub struct Cache<T> {
    known: HashMap<Box<[u32]>, T, FxBuildHasher>,
    /// Held by who adds.
    adding: Mutex<()>,
    held: AtomicUsize,
    limit: OnceLock<Arc<MemoryLimit>>,
}

impl<T> fmt::Debug for Cache<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache of {} keys", self.known.len())
    }
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self {
            known: HashMap::default(),
            adding: Mutex::default(),
            held: AtomicUsize::default(),
            limit: OnceLock::default(),
        }
    }
}

impl<T> Cache<T> {
    /// Counts bytes of what was found out after it was added.
    pub fn charge(&self, bytes: usize) {
        // In this order no more is ever given back than was counted.
        if let Some(limit) = self.limit.get() {
            limit.held.fetch_add(bytes, Relaxed);
        }
        self.held.fetch_add(bytes, Relaxed);
    }

    /// Gives back what was counted.
    fn discharge(&self) {
        let held = self.held.swap(0, Relaxed);
        if let Some(limit) = self.limit.get() {
            limit.held.fetch_sub(held, Relaxed);
        }
    }
}

impl<T> Drop for Cache<T> {
    fn drop(&mut self) {
        self.discharge();
        if let Some(limit) = self.limit.get() {
            limit.caches.fetch_sub(1, Relaxed);
        }
    }
}

impl<T> SharedCache for Cache<T> {
    fn share(&self, limit: &Arc<MemoryLimit>) {
        let _adding = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
        if self.limit.set(Arc::clone(limit)).is_ok() {
            limit.caches.fetch_add(1, Relaxed);
            limit.held.fetch_add(self.held.load(Relaxed), Relaxed);
        }
    }
}

impl<T: Weighs> Cache<T> {
    /// Hands what is known of a key to `use_it`; nothing where nothing is known.
    pub fn ask<R>(&self, key: &[u32], use_it: impl FnOnce(&T) -> R) -> Option<R> {
        self.known.pin().get(key).map(use_it)
    }

    /// The same, with what `find_out` gives where nothing is known; that is remembered.
    pub fn ask_or<R>(
        &self,
        key: &[u32],
        find_out: impl FnOnce() -> T,
        use_it: impl FnOnce(&T) -> R,
    ) -> R {
        let known = self.known.pin();
        if let Some(found) = known.get(key) {
            return use_it(found);
        }
        let found = find_out();
        let adding = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
        self.make_room(key, &found);
        let found = known.get_or_insert(key.into(), found);
        drop(adding);
        use_it(found)
    }

    /// Whether anything is known of a key.
    pub fn knows(&self, key: &[u32]) -> bool {
        self.known.pin().contains_key(key)
    }

    /// Remembers what was found out.
    pub fn add(&self, key: &[u32], found: T) {
        self.ask_or(key, || found, |_| ());
    }

    /// Counts what comes, and forgets all where it would be too much with it.
    fn make_room(&self, key: &[u32], found: &T) {
        let known = self.known.pin();
        if known.contains_key(key) {
            return;
        }
        let bytes = ENTRY + size_of_val(key) + size_of::<T>() + found.heap_bytes();
        let held = self.held.load(Relaxed) + bytes;
        let is_too_much = |limit: &Arc<MemoryLimit>| limit.exceeds(held);
        if known.len() >= MOST || held > MOST_BYTES || self.limit.get().is_some_and(is_too_much) {
            known.clear();
            self.discharge();
        }
        self.charge(bytes);
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
    fn it_does_not_grow_beyond_its_bound() {
        let cache = Cache::default();
        for key in 0..3 * MOST as u32 {
            cache.add(&[key], ());
            assert!(cache.known.len() <= MOST);
        }
        assert!(cache.knows(&[3 * MOST as u32 - 1]) && !cache.knows(&[0]));
    }

    /// Long keys, and much that is known of them.
    #[test]
    fn it_holds_so_many_bytes() {
        for (length, weight) in [(1 << 16, 0), (1, 1 << 18)] {
            let (cache, limit) = (Cache::default(), Arc::new(MemoryLimit::new(usize::MAX)));
            cache.share(&limit);
            let mut most = 0;
            for key in 0..300_u32 {
                cache.add(&vec![key; length], weight);
                assert_eq!(cache.held.load(Relaxed), limit.held());
                assert!(limit.held() <= MOST_BYTES);
                most = most.max(limit.held());
            }
            assert!(most > MOST_BYTES * 9 / 10 && cache.knows(&vec![299; length]));
            assert!(!cache.knows(&vec![0; length]));
        }
    }

    /// What is given back is what was counted, whoever drops what.
    #[test]
    fn caches_are_counted_together() {
        let limit = Arc::new(MemoryLimit::new(usize::MAX));
        let [first, second] = [0, 1].map(|_| Cache::default());
        first.add(&[1, 2, 3], 1000);
        first.share(&limit);
        second.share(&limit);
        let one = limit.held();
        assert!((1000..1200).contains(&one), "{one}");
        second.add(&[1, 2, 3], 1000);
        second.add(&[1, 2, 3], 1000);
        second.charge(500);
        assert_eq!(limit.held(), 2 * one + 500);
        drop(first);
        assert_eq!(limit.held(), one + 500);
        drop(second);
        assert_eq!((limit.held(), limit.caches.load(Relaxed)), (0, 0));
    }

    /// Those that are idle keep what they have, and those at work go on.
    #[test]
    fn together_they_hold_no_more_than_they_may() {
        const MOST: usize = 1 << 18;
        let limit = Arc::new(MemoryLimit::new(MOST));
        let caches = [0; 8].map(|_| Cache::default());
        caches.iter().for_each(|cache| cache.share(&limit));
        let mut most = 0;
        for at_work in [0..1, 1..8] {
            for key in 0..3000_u32 {
                for cache in &caches[at_work.clone()] {
                    cache.add(&[key], 100);
                    assert!(cache.knows(&[key]));
                }
                assert!(limit.held() <= MOST, "{} of {MOST}", limit.held());
                most = most.max(limit.held());
            }
        }
        assert!(most > MOST / 2, "{most} of {MOST}");
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
