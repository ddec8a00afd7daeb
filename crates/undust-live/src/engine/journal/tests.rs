#[cfg(unix)]
mod power;

use std::fs;

use super::*;

fn events(journal: &Journal) -> Vec<Event> {
    let mut all = Vec::new();
    let read = journal.each(|event| {
        all.push(event);
        Ok(())
    });
    read.expect("a journal");
    all
}

fn skip(n: u32) -> Event {
    Event::Skip {
        url: format!("http://a.test/{n}"),
        class: 5,
        group: None,
        loss: 0.25,
        model: true,
    }
}

/// At every byte at which a process may be killed.
#[test]
fn a_line_that_was_not_written_whole_is_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(folder.path()).expect("a journal");
    let first = journal.len as usize;
    journal.append(&skip(1)).expect("a line");
    let one = journal.len as usize;
    journal.append(&skip(2)).expect("a line");
    let path = folder.path().join(FILE);
    let bytes = fs::read(&path).expect("lines");
    for len in first..bytes.len() {
        fs::write(&path, &bytes[..len]).expect("a shorter file");
        let mut journal = Journal::open(folder.path()).expect("a journal");
        let kept = if len < one { vec![] } else { vec![skip(1)] };
        assert_eq!(events(&journal), kept);
        journal.append(&skip(3)).expect("a line");
        assert_eq!(events(&journal), [kept, vec![skip(3)]].concat());
    }
}

/// Also where the process ends between the steps.
#[test]
fn a_finished_part_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(folder.path()).expect("a journal");
    let open = folder.path().join(FILE);
    let mut all = Vec::new();
    for part in 0..3 {
        while journal.len < LEAST_PART {
            all.push(skip(all.len() as u32));
            journal.append(&all[all.len() - 1]).expect("a line");
        }
        let before = fs::read(&open).expect("lines");
        journal.finish_part().expect("a part");
        assert!(journal.len < 100, "{}", journal.len);
        if part == 1 {
            // As if it had ended before the second step.
            fs::write(&open, before).expect("the lines again");
            journal = Journal::open(folder.path()).expect("a journal");
        }
        assert_eq!(events(&journal), all);
    }
    journal.append(&skip(0)).expect("a line");
    all.push(skip(0));
    assert_eq!(events(&Journal::open(folder.path()).expect("a journal")), all);
    let place = parts::place(folder.path(), 2);
    assert!(fs::metadata(&place).expect("a part").len() < LEAST_PART / 5);
    fs::remove_file(&place).expect("a part");
    let error = journal.each(|_| Ok(())).expect_err("a part is missing").to_string();
    assert!(error.contains("live-2.jsonl.zst"), "{error}");
}

/// The files of a folder and what they hold; of a link where it leads.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>, Option<PathBuf>)> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut all: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(&path).unwrap_or_default(), fs::read_link(&path).ok())
        })
        .collect();
    all.sort();
    all
}

/// Refused with a sentence, and left as it is.
fn assert_refused(folder: &Path, expected: &str) {
    let before = contents(folder);
    let error = Journal::open(folder).map(drop).expect_err("foreign").to_string();
    assert!(error.contains(expected) && error.lines().count() == 1, "{error}");
    assert!(Journal::open(folder).is_err());
    assert_eq!(contents(folder), before);
}

#[test]
fn what_is_foreign_is_refused_and_left_as_it_is() {
    for (text, expected) in [
        ("{\"undust live\":7}\n", "another version"),
        ("{\"format\":1}\n{\"crawl\":1", "another version"),
        ("", "not a state"),
        ("\n", "not a state"),
        ("a diary without an end", "not a state"),
        ("{\"url\":\"http://a.test/\"}\n{\"url\":", "not a state"),
        ("{\"undust live\":2}", "not a state"),
        ("{\"undust live\":2,\"x\":1}\n", "not a state"),
        (" {\"undust live\":\"2\"}\n", "not a state"),
        ("\"kept\"\n{\"undust live\":2}\n", "not a state"),
        ("\u{feff}{\"undust live\":2}\n", "not a state"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(FILE), text).expect("a file");
        assert_refused(folder.path(), expected);
        fs::write(folder.path().join(FILE), [text.as_bytes(), &[0; 5000]].concat())
            .expect("a file");
        assert_refused(
            folder.path(),
            if expected == "another version" { expected } else { "not a" },
        );
    }
}

#[test]
fn a_line_that_is_none_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "{\"undust live\":2}\nnonsense\n";
    fs::write(folder.path().join(FILE), text).expect("a file");
    let journal = Journal::open(folder.path()).expect("a journal");
    let error = journal.each(|_| Ok(())).expect_err("nonsense").to_string();
    assert!(error.contains("line 2 is not"), "{error}");
}

/// Whatever is in the file, and whatever cuts it short: what does not begin as a journal stays.
mod any_file {
    use proptest::prelude::*;

    use super::*;

    fn any_text() -> impl Strategy<Value = Vec<u8>> {
        let line = prop_oneof![
            "[a-z{}\":0-9, ]{0,40}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..40),
            Just(b"{\"undust live\":2}".to_vec()),
            Just(b"{\"format\":1}".to_vec()),
            Just(b"\"kept\"".to_vec()),
        ];
        prop::collection::vec(line, 0..6).prop_map(|lines| lines.join(&b'\n'))
    }

    proptest! {
        #[test]
        fn stays_unless_it_is_a_journal(text in any_text()) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join(FILE);
            fs::write(&path, &text).expect("a file");
            let is_own = text.starts_with(b"{\"undust live\":2}\n");
            let opened = Journal::open(folder.path());
            let left = fs::read(&path).expect("the file");
            if is_own {
                prop_assert!(text.starts_with(&left), "{:?}", left);
            } else {
                prop_assert!(opened.is_err());
                prop_assert_eq!(left, text);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    use std::os::unix::fs::symlink;
    let elsewhere = tempfile::tempdir().expect("a folder");
    let own = tempfile::tempdir().expect("a folder");
    drop(Journal::open(own.path()).expect("a journal"));
    let journal = own.path().join(FILE);
    for (name, target, expected) in [
        (FILE, elsewhere.path().join("diary"), "is a link"),
        (FILE, elsewhere.path().join("nothing"), "is a link"),
        (FILE, elsewhere.path().to_owned(), "is a link"),
        // One of its own, too: the state may be opened there.
        (FILE, journal.clone(), "is a link"),
    ] {
        fs::write(elsewhere.path().join("diary"), "dear diary").expect("a file");
        let folder = tempfile::tempdir().expect("a folder");
        symlink(&target, folder.path().join(name)).expect("a link");
        assert_refused(folder.path(), expected);
        assert_eq!(contents(elsewhere.path()).len(), 1);
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::copy(&journal, folder.path().join(FILE)).expect("a copy");
    symlink(elsewhere.path().join("diary"), folder.path().join("live-1.jsonl.zst"))
        .expect("a link");
    assert_refused(folder.path(), "is a link");
    assert_eq!(contents(elsewhere.path())[0].1, b"dear diary");
}

/// A foreign file under the name of a part would have the open lines thrown away.
#[test]
fn a_part_of_other_lines_is_refused() {
    for foreign in
        ["not compressed".as_bytes().to_vec(), zstd::encode_all(&b"{}\n"[..], 1).expect("zstd")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = Journal::open(folder.path()).expect("a journal");
        journal.append(&skip(1)).expect("a line");
        fs::write(parts::place(folder.path(), 1), foreign).expect("a file");
        assert_refused(folder.path(), "has other lines");
    }
}

/// Whatever becomes of the parts: all lines are read as they were written, or the part is named.
mod damaged_parts {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Damage {
        Cut(usize),
        Flip(usize, u8),
        Missing,
        Other(u32),
    }

    fn any_damage() -> impl Strategy<Value = Damage> {
        prop_oneof![
            Just(Damage::Cut(0)),
            any::<usize>().prop_map(Damage::Cut),
            (any::<usize>(), 0..8_u8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
            Just(Damage::Missing),
            (1..4_u32).prop_map(Damage::Other),
        ]
    }

    proptest! {
        #[test]
        fn are_told(damaged in 1..4_u32, damage in any_damage()) {
            let folder = tempfile::tempdir().expect("a folder");
            let record = undust_util::disk::DiskRecord::begin();
            let mut journal = Journal::open(folder.path()).expect("a journal");
            let mut all = Vec::new();
            for n in 0..24 {
                all.push(skip(n));
                journal.append(&skip(n)).expect("a line");
                if n % 7 == 6 {
                    journal.end_part().expect("a part");
                }
            }
            drop(record);
            let place = |part| parts::place(folder.path(), part);
            let whole = fs::read(place(damaged)).expect("a part");
            let mut bytes = whole.clone();
            match damage {
                Damage::Cut(len) => bytes.truncate(len % whole.len()),
                Damage::Flip(at, bit) => bytes[at % whole.len()] ^= 1 << bit,
                Damage::Other(other) => bytes = fs::read(place(other)).expect("a part"),
                Damage::Missing => {}
            }
            match damage {
                Damage::Missing => fs::remove_file(place(damaged)),
                _ => fs::write(place(damaged), &bytes),
            }
            .expect("damage");
            let mut found = Vec::new();
            let read = Journal::open(folder.path()).and_then(|journal| journal.each(|event| {
                found.push(event);
                Ok(())
            }));
            prop_assert!(all.starts_with(&found));
            match read {
                Ok(()) => prop_assert_eq!(found, all),
                Err(error) => {
                    let error = error.to_string();
                    let name = format!("live-{damaged}.jsonl.zst");
                    prop_assert!(error.contains(&name) && error.lines().count() == 1, "{}", error);
                }
            }
        }
    }
}

/// Zeros are what a loss of power leaves of lines that were not synced. Where more came after them, it is damage: what
/// is behind them was acknowledged.
#[test]
fn zeros_before_lines_that_were_synced_are_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(FILE);
    let mut journal = Journal::open(folder.path()).expect("a journal");
    let first = journal.len as usize;
    while journal.len < 4 << 20 {
        journal.append(&skip(journal.len as u32)).expect("a line");
    }
    let whole = fs::read(&path).expect("lines");
    for at in (first..whole.len()).step_by(whole.len() / 100) {
        for zeros in [512, 4096] {
            let mut bytes = whole.clone();
            let end = bytes.len().min(at + zeros);
            bytes[at..end].fill(0);
            fs::write(&path, &bytes).expect("zeros");
            let behind = whole.len() - at;
            match Journal::open(folder.path()) {
                Err(error) => assert!(behind > 3 << 19, "{error}"),
                Ok(journal) => assert!(behind < 5 << 19 && journal.len as usize <= at, "{at}"),
            }
        }
    }
    // A line may be longer than that, and not whole.
    let long = [&whole[..first], &[0; 4096], &vec![b'x'; 8 << 20][..], b"\n"].concat();
    fs::write(&path, long).expect("a line");
    assert_eq!(Journal::open(folder.path()).expect("a journal").len as usize, first);
    // And one may end just before a line that was written when all was synced.
    fs::write(&path, [&whole[..first], &[0; 512], b"\"kept\"\n"].concat()).expect("a line");
    assert!(Journal::open(folder.path()).is_err());
}

/// Lines that came after a part was made, because the next could not be begun, are in the next.
#[test]
fn a_part_that_was_begun_is_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(folder.path()).expect("a journal");
    journal.append(&skip(1)).expect("a line");
    let place = parts::place(folder.path(), 1);
    parts::finish(&journal.path, &place).expect("a part");
    journal.append(&skip(2)).expect("a line");
    drop(journal);
    let journal = Journal::open(folder.path()).expect("a journal");
    assert_eq!((journal.part, events(&journal)), (2, vec![skip(1), skip(2)]));
}

#[cfg(unix)]
#[test]
fn its_owner_alone_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let mut journal = Journal::open(folder.path()).expect("a journal");
    assert_eq!(mode(&journal.path), 0o600);
    journal.end_part().expect("a part");
    assert_eq!(mode(&journal.path), 0o600);
    assert_eq!(mode(&parts::place(folder.path(), 1)), 0o600);
}
