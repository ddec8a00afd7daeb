//! Numbers by 64-bit keys, which are kept elsewhere: a table of numbers takes a third of the memory that one of keys
//! and numbers does.

use hashbrown::HashTable;

use super::memory::table_of;

/// Numbers by keys. A key must be a hash already, and the same for a number whenever it is asked for.
#[derive(Debug, Default, Clone)]
pub(super) struct Index {
    table: HashTable<u32>,
}

impl Index {
    /// The number with this key.
    pub(super) fn get(&self, key: u64, key_of: impl Fn(u32) -> u64) -> Option<u32> {
        self.table.find(key, |number| key_of(*number) == key).copied()
    }

    /// Gives a key a number; the one that it had before.
    pub(super) fn insert(
        &mut self,
        key: u64,
        number: u32,
        key_of: impl Fn(u32) -> u64,
    ) -> Option<u32> {
        if let Some(known) = self.table.find_mut(key, |known| key_of(*known) == key) {
            return Some(std::mem::replace(known, number));
        }
        self.table.insert_unique(key, number, |known| key_of(*known));
        None
    }

    /// Forgets a key; the number that it had.
    pub(super) fn remove(&mut self, key: u64, key_of: impl Fn(u32) -> u64) -> Option<u32> {
        let found = self.table.find_entry(key, |number| key_of(*number) == key).ok()?;
        Some(found.remove().0)
    }

    /// The numbers in any order.
    pub(super) fn numbers(&self) -> Vec<u32> {
        self.table.iter().copied().collect()
    }

    /// That of these numbers, each of which has another key.
    pub(super) fn of(
        numbers: impl ExactSizeIterator<Item = u32>,
        key_of: impl Fn(u32) -> u64,
    ) -> Self {
        let mut table = HashTable::with_capacity(numbers.len());
        for number in numbers {
            table.insert_unique(key_of(number), number, |number| key_of(*number));
        }
        Self { table }
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        table_of::<u32>(self.table.len())
    }
}
