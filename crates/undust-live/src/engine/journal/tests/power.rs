//! What a loss of power leaves of a journal. The steps that change the disk are recorded; after each of
//! them the machine may stop, and of the steps that were not synced any may be lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use undust_util::disk::{DiskFault, DiskRecord, DiskStep};

use crate::engine::journal::*;

/// A change that may be lost.
#[derive(Debug, Clone)]
enum Change {
    Write { file: usize, at: usize, bytes: Vec<u8> },
    Cut { file: usize, len: usize },
    Name { path: PathBuf, file: usize },
    Rename { from: PathBuf, to: PathBuf },
}

/// A disk: what survives, and what may.
#[derive(Debug, Clone, Default)]
struct Disk {
    files: Vec<Vec<u8>>,
    names: BTreeMap<PathBuf, usize>,
    pending: Vec<Change>,
    /// The files by their numbers, and their lengths as programs see them.
    numbers: BTreeMap<u64, (usize, usize)>,
}

impl Disk {
    fn step(&mut self, step: &DiskStep) {
        match step.clone() {
            DiskStep::Create { file, path } => {
                self.numbers.insert(file, (self.files.len(), 0));
                self.pending.push(Change::Name { path, file: self.files.len() });
                self.files.push(Vec::new());
            }
            DiskStep::Append { file, bytes } => {
                let (file, len) = self.numbers.get_mut(&file).expect("a file");
                self.pending.push(Change::Write { file: *file, at: *len, bytes: bytes.clone() });
                *len += bytes.len();
            }
            DiskStep::Cut { file, len } => {
                let (file, before) = self.numbers.get_mut(&file).expect("a file");
                *before = len as usize;
                self.pending.push(Change::Cut { file: *file, len: len as usize });
            }
            DiskStep::Rename { from, to } => self.pending.push(Change::Rename { from, to }),
            DiskStep::Sync { file } => {
                let synced = self.numbers[&file].0;
                self.settle(|change| match change {
                    Change::Write { file, .. } | Change::Cut { file, .. } => *file == synced,
                    _ => false,
                });
            }
            // What a disk did not take it is never given again.
            DiskStep::FailedSync { file } => {
                let failed = self.numbers[&file].0;
                self.pending.retain(
                    |change| !matches!(change, Change::Write { file, .. } if *file == failed),
                );
            }
            DiskStep::SyncFolder { folder } => {
                let is_in = |path: &Path| path.parent() == Some(&folder);
                self.settle(|change| match change {
                    Change::Name { path, .. } | Change::Rename { to: path, .. } => is_in(path),
                    _ => false,
                });
            }
        }
    }

    /// Makes changes hold.
    fn settle(&mut self, holds: impl Fn(&Change) -> bool) {
        let (settled, pending): (Vec<_>, Vec<_>) = self.pending.drain(..).partition(holds);
        self.pending = pending;
        settled.iter().for_each(|change| self.apply(change));
    }

    fn apply(&mut self, change: &Change) {
        match change {
            Change::Write { file, at, bytes } => {
                let file = &mut self.files[*file];
                // Where a write before it was lost, the disk has zeros.
                file.resize(file.len().max(at + bytes.len()), 0);
                file[*at..at + bytes.len()].copy_from_slice(bytes);
            }
            Change::Cut { file, len } => self.files[*file].truncate(*len),
            Change::Name { path, file } => drop(self.names.insert(path.clone(), *file)),
            Change::Rename { from, to } => {
                // The name that it had before may be lost, too.
                let named = self.pending.iter().find_map(|change| match change {
                    Change::Name { path, file } if path == from => Some(*file),
                    _ => None,
                });
                if let Some(file) = self.names.remove(from).or(named) {
                    self.names.insert(to.clone(), file);
                }
            }
        }
    }

    /// The disk on which only some of the pending changes happened.
    fn after(&self, happened: impl Fn(usize) -> bool) -> Self {
        let mut after = self.clone();
        for (place, change) in self.pending.iter().enumerate() {
            if happened(place) {
                after.apply(change);
            }
        }
        after
    }

    /// The same files in another folder.
    fn put(&self, from: &Path, folder: &Path) {
        for (path, file) in &self.names {
            let place = folder.join(path.strip_prefix(from).expect("a path in the folder"));
            fs::write(place, &self.files[*file]).expect("a file");
        }
    }
}

/// The disks that a machine may have which stops now: with none of what is pending, with all of it, with one
/// part of it, without one, and with others by chance.
fn left_by_chance(disk: &Disk, rng: &mut ChaCha8Rng) -> Vec<Disk> {
    let pending = disk.pending.len();
    let mut all = vec![disk.after(|_| false), disk.after(|_| true)];
    for one in 0..pending {
        all.push(disk.after(|place| place == one));
        all.push(disk.after(|place| place != one));
        all.push(disk.after(|place| place < one));
    }
    for _ in 0..pending.min(8) {
        let happened: Vec<bool> = (0..pending).map(|_| rng.random()).collect();
        all.push(disk.after(|place| happened[place]));
    }
    all
}

/// A recorded crawl: the steps, and pairs of steps done and lines acknowledged by then.
struct Recorded {
    folder: PathBuf,
    steps: Vec<DiskStep>,
    acknowledged: Vec<(usize, usize)>,
    lines: Vec<Event>,
}

/// A crawl that goes on in a second process, with lines, synced and not, and parts.
fn recorded() -> Recorded {
    let folder = tempfile::tempdir().expect("a folder");
    let record = DiskRecord::begin();
    let mut journal = Journal::open(folder.path()).expect("a journal");
    let (mut lines, mut acknowledged) = (Vec::new(), Vec::new());
    for round in 0..4_u32 {
        for n in 0..14 {
            // Of several lengths, so that what is written over leaves something.
            let url = format!("http://a.test/{}", "x".repeat((7 * n as usize + 13) % 40));
            let line = Event::Audit { url, class: (10 * round + n).into() };
            journal.append(&line).expect("a line");
            lines.push(line);
            if n == 10 {
                journal.sync().expect("a sync");
                journal.append(&Event::Kept).expect("a line");
                acknowledged.push((record.steps().len(), lines.len()));
            }
        }
        if round % 2 == 0 {
            journal.end_part().expect("a part");
            acknowledged.push((record.steps().len(), lines.len()));
        } else {
            journal = Journal::open(folder.path()).expect("a journal");
        }
    }
    Recorded { folder: folder.path().to_owned(), steps: record.steps(), acknowledged, lines }
}

/// A crawl on a disk that fails so many steps after so many others; none where it has no journal then.
fn recorded_with_fault(done: usize, failing: usize, syncs: bool) -> Option<Recorded> {
    let folder = tempfile::tempdir().expect("a folder");
    let record = DiskRecord::begin();
    let fault = DiskFault::after(done, failing);
    let mut journal = Journal::open(folder.path()).ok()?;
    if syncs {
        journal.sync_each_line();
    }
    let (mut lines, mut acknowledged) = (Vec::new(), Vec::new());
    for n in 0..24_u32 {
        let url = format!("http://a.test/{}", "x".repeat((7 * n as usize + 13) % 40));
        let line = Event::Audit { url, class: n.into() };
        let is_taken = journal.append(&line).is_ok();
        lines.extend(is_taken.then_some(line));
        let is_synced = match n % 8 {
            2 => journal.end_part().is_ok(),
            1 | 6 => journal.sync().is_ok(),
            _ => syncs && is_taken,
        };
        if is_synced {
            acknowledged.push((record.steps().len(), lines.len()));
        }
    }
    drop((journal, fault));
    let steps = record.steps();
    drop(record);
    // A kill loses nothing. What was refused may be there, if it could not be cut off.
    let killed = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), killed.path().join(entry.file_name())).expect("a copy");
    }
    let found = read(killed.path()).expect("a journal");
    assert!(found.starts_with(&lines) && found.len() <= lines.len() + 1, "{found:?} {lines:?}");
    Some(Recorded { folder: folder.path().to_owned(), steps, acknowledged, lines })
}

/// Whichever steps fail, and whether the disk can be written again afterwards.
#[test]
fn a_disk_that_fails_loses_nothing_that_was_acknowledged() {
    let (mut rng, mut seen) = (ChaCha8Rng::seed_from_u64(7), 0);
    for (done, failing, syncs) in (0..110)
        .flat_map(|done| [(done, 1, false), (done, [1, 2, 3, usize::MAX][done % 4], done % 3 > 0)])
    {
        let Some(recorded) = recorded_with_fault(done, failing, syncs) else { continue };
        let mut disk = Disk::default();
        recorded.steps.iter().for_each(|step| disk.step(step));
        let least = recorded.acknowledged.last().map_or(0, |(_, lines)| *lines);
        for left in left_by_chance(&disk, &mut rng) {
            let after = tempfile::tempdir().expect("a folder");
            left.put(&recorded.folder, after.path());
            let read = read(after.path()).unwrap_or_else(|error| {
                panic!("{failing} faults after {done} steps, {left:?}: {error}");
            });
            let known = read.len().min(recorded.lines.len());
            assert!(
                read.len() >= least && read[..known] == recorded.lines[..known],
                "{failing} faults after {done} steps, {least} of {:?}: {read:?}",
                recorded.lines,
            );
            seen += 1;
        }
    }
    assert!(seen > 1000, "{seen}");
}

fn read(folder: &Path) -> Result<Vec<Event>> {
    // Nobody needs it on the disk.
    let _record = DiskRecord::begin();
    let mut all = Vec::new();
    Journal::open(folder)?.each(|event| {
        all.extend(Some(event).filter(|event| *event != Event::Kept));
        Ok(())
    })?;
    Ok(all)
}

#[test]
fn what_was_acknowledged_outlives_a_loss_of_power_after_any_step() {
    let Recorded { folder, steps, acknowledged, lines } = recorded();
    assert!(steps.len() > 50 && acknowledged.len() == 6, "{} steps", steps.len());
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut disk, mut seen) = (Disk::default(), 0);
    for done in 0..=steps.len() {
        if done > 0 {
            disk.step(&steps[done - 1]);
        }
        let least =
            acknowledged.iter().filter(|(after, _)| *after <= done).map(|(_, lines)| *lines);
        let least = least.max().unwrap_or(0);
        for left in left_by_chance(&disk, &mut rng) {
            let after = tempfile::tempdir().expect("a folder");
            left.put(&folder, after.path());
            let read = read(after.path()).unwrap_or_else(|error| {
                panic!("after {done} steps, {left:?}: {error}");
            });
            assert!(
                read.len() >= least && lines.starts_with(&read),
                "after {done} steps: {read:?}"
            );
            // And it goes on.
            let goes_on = DiskRecord::begin();
            let mut journal = Journal::open(after.path()).expect("a journal");
            journal.append(&Event::Crawl).expect("a line");
            drop((journal, goes_on));
            assert_eq!(self::read(after.path()).expect("lines").len(), read.len() + 1);
            seen += 1;
        }
    }
    assert!(seen > 1000, "{seen}");
}
