//! Sites that nobody asked for lately, in a file that ends with the process: the journal has all of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;

use crate::engine::lock::locked;

/// Where a site is in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    at: u64,
    len: u32,
}

/// Sites that are put away.
#[derive(Debug)]
pub(super) struct Idle {
    file: Mutex<Slots>,
}

#[derive(Debug)]
struct Slots {
    file: File,
    end: u64,
    /// By size: those that are free again.
    free: BTreeMap<u64, Vec<u64>>,
}

impl Place {
    /// Bytes of the file: few sizes, so that what is free fits what comes.
    fn size(self) -> u64 {
        let len = u64::from(self.len).max(1 << 10);
        let step = 1 << (len.ilog2() - 2);
        len.next_multiple_of(step)
    }
}

impl Idle {
    /// None yet, in a file of this folder that has no name.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        let slots = Slots { file: tempfile::tempfile_in(folder)?, end: 0, free: BTreeMap::new() };
        Ok(Self { file: Mutex::new(slots) })
    }

    /// A disk that takes no more.
    #[cfg(test)]
    pub(super) fn full(folder: &Path) -> Self {
        let path = folder.join("full");
        let made = std::fs::write(&path, "").and_then(|()| File::open(path));
        let slots = Slots { file: made.expect("a file"), end: 0, free: BTreeMap::new() };
        Self { file: Mutex::new(slots) }
    }

    /// Puts bytes away.
    pub(super) fn put(&self, bytes: &[u8]) -> io::Result<Place> {
        let mut slots = locked(&self.file);
        let len = u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let place = Place { at: slots.end, len };
        let free = slots.free.get_mut(&place.size()).and_then(Vec::pop);
        let place = Place { at: free.unwrap_or(place.at), len };
        let end = slots.end.max(place.at + place.size());
        slots.file.seek(SeekFrom::Start(place.at))?;
        let written = slots.file.write_all(bytes);
        match written {
            Ok(()) => slots.end = end,
            Err(_) if free.is_some() => slots.free.entry(place.size()).or_default().push(place.at),
            Err(_) => {}
        }
        written.map(|()| place)
    }

    /// Reads them.
    pub(super) fn get(&self, place: Place) -> io::Result<Vec<u8>> {
        let mut slots = locked(&self.file);
        let mut bytes = vec![0; place.len as usize];
        slots.file.seek(SeekFrom::Start(place.at))?;
        slots.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Lets others have the place.
    pub(super) fn free(&self, place: Place) {
        locked(&self.file).free.entry(place.size()).or_default().push(place.at);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever comes and goes, what is there is as it was put, and the file stays small.
        #[test]
        fn what_was_put_away_is_there(
            sizes in prop::collection::vec((0_usize..9000, 0_usize..4), 1..60),
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let idle = Idle::new(folder.path()).expect("a file");
            let (mut held, mut most, mut now) = (Vec::new(), 0, 0);
            for (number, (size, taken)) in sizes.into_iter().enumerate() {
                let bytes = vec![number as u8; size];
                held.push((idle.put(&bytes).expect("room"), bytes));
                now += held[held.len() - 1].0.size();
                most = most.max(now);
                for _ in 0..taken.min(held.len()) {
                    let (place, bytes) = held.swap_remove(number % held.len());
                    prop_assert_eq!(idle.get(place).expect("bytes"), bytes);
                    idle.free(place);
                    now -= place.size();
                }
            }
            for (place, bytes) in held {
                prop_assert_eq!(idle.get(place).expect("bytes"), bytes);
            }
        }
    }
}
