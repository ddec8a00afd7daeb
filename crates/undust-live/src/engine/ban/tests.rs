use super::*;

fn folder(name: &str) -> Folder {
    Folder::of(&crate::engine::secret::Secret::default(), &format!("http://a.test/{name}/"))
}

/// A page under one of four kinds of URLs of a folder; every other number is a new page.
fn look(guard: &mut BanGuard, name: &str, number: u32, page: u32) -> Verdict {
    let kind = xxhash_rust::xxh3::xxh3_64(name.as_bytes()) + u64::from(number % 4);
    guard.look(number, page, page == number, (kind, folder(name)))
}

/// Pages, each of which is new.
fn crawled(guard: &mut BanGuard, name: &str, numbers: std::ops::Range<u32>) {
    for number in numbers {
        assert_eq!(look(guard, name, number, number), Verdict::Genuine);
    }
}

fn begins(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Begins(_))
}

#[test]
fn one_page_under_all_kinds_is_a_ban_until_others_come() {
    let mut guard = BanGuard::default();
    crawled(&mut guard, "a", 0..100);
    let banned: Vec<Verdict> =
        (100..150).map(|number| look(&mut guard, "a", number, 100)).collect();
    let begin = banned.iter().position(begins);
    let Some(Verdict::Begins(numbers)) = begin.map(|begin| &banned[begin]) else {
        panic!("{banned:?}")
    };
    assert_eq!(*numbers, (100..140).collect::<Vec<_>>());
    assert!(guard.is_banned());
    assert!(banned[40..].iter().all(|verdict| *verdict == Verdict::Banned));
    crawled(&mut guard, "a", 150..250);
    assert!(!guard.is_banned());
}

/// A crawler comes to the links to a log-in page, one after the other.
#[test]
fn a_log_in_page_is_none() {
    let mut guard = BanGuard::default();
    crawled(&mut guard, "a", 0..100);
    let verdicts =
        (100..400).map(|number| guard.look(number, 100, number == 100, (9, folder("a"))));
    assert!(verdicts.into_iter().all(|verdict| verdict == Verdict::Genuine));
}

/// What one folder shows says nothing of others, however long it goes on.
#[test]
fn a_ban_of_a_folder_is_of_the_folder() {
    let mut guard = BanGuard::default();
    for name in ["alice", "bob", "carol"] {
        crawled(&mut guard, name, 0..40);
    }
    assert_eq!(
        (100..140).filter(|number| begins(&look(&mut guard, "alice", *number, 7777))).count(),
        1
    );
    for number in 200..400 {
        assert_eq!(look(&mut guard, "alice", number, 7777), Verdict::Banned);
        // Now and then others show the same page, and are believed.
        let page = if number % 40 == 0 { 7777 } else { number };
        assert_eq!(look(&mut guard, "bob", number, page), Verdict::Genuine);
    }
    // Of a folder that nobody knows it says nothing.
    assert_eq!(look(&mut guard, "dave", 400, 7777), Verdict::Banned);
    assert_eq!(look(&mut guard, "dave", 401, 401), Verdict::Genuine);
}

#[test]
fn a_ban_of_several_folders_is_of_the_site() {
    let mut guard = BanGuard::default();
    let names = ["alice", "bob", "carol"];
    for name in names {
        crawled(&mut guard, name, 0..40);
    }
    let answer =
        |guard: &mut BanGuard, number: u32| look(guard, names[number as usize % 3], number, 7777);
    let verdicts: Vec<Verdict> = (100..200).map(|number| answer(&mut guard, number)).collect();
    assert_eq!(verdicts.iter().filter(|verdict| begins(verdict)).count(), 1);
    assert!(verdicts[40..].iter().all(|verdict| *verdict == Verdict::Banned));
    assert_eq!(look(&mut guard, "dave", 200, 7777), Verdict::Banned);
}

/// A folder in which a page is shown, and a page in another that happens to be the same.
#[test]
fn a_folder_and_a_page_elsewhere_are_not_several_folders() {
    let mut guard = BanGuard::default();
    for name in ["alice", "bob", "carol"] {
        crawled(&mut guard, name, 0..40);
    }
    for (number, name) in [(100, "bob"), (101, "carol")] {
        assert_eq!(look(&mut guard, name, number, 7777), Verdict::Genuine);
    }
    let verdicts: Vec<Verdict> = (102..150).map(|n| look(&mut guard, "alice", n, 7777)).collect();
    let Some(Verdict::Begins(numbers)) = verdicts.iter().find(|verdict| begins(verdict)) else {
        panic!("{verdicts:?}")
    };
    assert!(numbers.iter().all(|number| *number >= 102), "{numbers:?}");
    assert_eq!(look(&mut guard, "bob", 150, 7777), Verdict::Genuine);
}
