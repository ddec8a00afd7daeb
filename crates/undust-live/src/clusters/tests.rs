mod consistency;

use proptest::prelude::*;
use tempfile::TempDir;

use undust_cluster::clusters::cluster;
use undust_pages::page::Page;
use undust_pages::pages::PagesBuilder;
use undust_pages::response::Response;
use undust_pages::simhash::Simhash;
use undust_pages::text_hash::TextHash;
use undust_url::site::SiteBy;

use super::*;

mod news;

fn state() -> (TempDir, LiveClusters) {
    let folder = tempfile::tempdir().unwrap();
    let state = LiveClusters::open_or_make(folder.path(), |_| {}).unwrap();
    (folder, state)
}

fn page(url: &str, title: &str, simhash: u64) -> Response {
    let (url, title) = (url.to_owned(), Some(title.to_owned()));
    Response { url, status: 200, title, simhash: Some(Simhash(simhash)), ..Response::default() }
}

fn digest(url: &str, digest: &str) -> Response {
    let (url, digest) = (url.to_owned(), Some(digest.to_owned()));
    Response { url, status: 200, digest, ..Response::default() }
}

fn redirect(url: &str, location: &str) -> Response {
    let (url, location) = (url.to_owned(), Some(location.to_owned()));
    Response { url, status: 301, location, ..Response::default() }
}

fn gone(url: &str) -> Response {
    Response { url: url.to_owned(), status: 404, ..Response::default() }
}

fn ingest(state: &mut LiveClusters, responses: impl IntoIterator<Item = Response>) -> BatchReport {
    let mut batch = ResponseBatch::new();
    batch.extend(responses);
    let report = state.ingest(batch).unwrap();
    check(state);
    report
}

/// The URLs of each group, by id.
fn groups(state: &LiveClusters) -> Vec<(u32, Vec<String>)> {
    let LivePages { pages, groups, .. } = state.pages().unwrap();
    let mut by_group = std::collections::BTreeMap::<u32, Vec<String>>::new();
    for (page, group) in pages.into_iter().zip(groups) {
        by_group.entry(group).or_default().push(page.url.into());
    }
    by_group.into_iter().collect()
}

fn texts(state: &LiveClusters) -> Vec<String> {
    groups(state).into_iter().map(|(id, urls)| format!("{id}: {}", urls.join(" "))).collect()
}

fn answer(state: &mut LiveClusters, url: &str) -> (u32, String, UrlVerdict) {
    let answer = state.query(url).unwrap().unwrap();
    (answer.group, answer.canonical.into(), answer.verdict)
}

/// What must hold of every store: the tables say the same.
fn check(state: &LiveClusters) {
    state
        .look(|update| {
            update.check_tables();
            Ok(())
        })
        .unwrap();
    let pages = state.pages().unwrap();
    let parts: Vec<Page> = state.pages_in_parts().flat_map(Result::unwrap).collect();
    assert_eq!(format!("{parts:?}"), format!("{:?}", pages.pages));
    assert_eq!(pages.pages.len(), pages.groups.len());
}

#[test]
fn equal_pages_of_several_batches_are_one_group() {
    let (_folder, mut state) = state();
    let first = ingest(&mut state, [page("/a", "t", 0), page("/b", "u", 0), digest("/c", "x")]);
    assert_eq!((first.new, first.compared, first.settled_share()), (3, 3, None));
    ingest(&mut state, [page("/d", "t", 7), digest("/e", "x"), page("/f", "t", 0xff)]);
    assert_eq!(texts(&state), ["0: /a /d", "1: /b", "2: /c /e", "3: /f"]);
    assert_eq!(answer(&mut state, "/d"), (0, "/a".into(), UrlVerdict::Duplicate));
    assert_eq!(answer(&mut state, "/a"), (0, "/a".into(), UrlVerdict::Canonical));
    assert_eq!(state.query("/z").unwrap(), None);
    assert_eq!(ingest(&mut state, []), BatchReport::default());
}

#[test]
fn a_page_between_two_groups_merges_them_into_the_larger() {
    let (_folder, mut state) = state();
    ingest(&mut state, [page("/a", "t", 0), page("/b", "t", 63), page("/c", "t", 63)]);
    assert_eq!(texts(&state), ["0: /a", "1: /b /c"]);
    let report = ingest(&mut state, [page("/d", "t", 7)]);
    assert_eq!((texts(&state), report.merged), (vec!["1: /a /b /c /d".to_owned()], 1));
}

#[test]
fn a_changed_page_near_the_signature_stays_without_a_search() {
    let (_folder, mut state) = state();
    ingest(&mut state, [page("/a", "t", 0), page("/b", "t", 1), page("/c", "t", 0xff)]);
    let report = ingest(&mut state, [page("/b", "t", 6)]);
    assert_eq!((report.changed, report.kept_by_signature, report.compared), (1, 1, 0));
    assert_eq!(report.settled_share(), Some(1.0));
    assert_eq!(texts(&state), ["0: /a /b", "1: /c"]);
    let again = ingest(&mut state, [page("/b", "t", 6)]);
    assert_eq!((again.unchanged, again.changed), (1, 0));
}

#[test]
fn a_changed_page_moves_with_those_that_redirect_to_it() {
    let (_folder, mut state) = state();
    ingest(
        &mut state,
        [digest("/a", "1"), digest("/b", "1"), redirect("/r", "/b"), redirect("/s", "/r")],
    );
    ingest(&mut state, [digest("/c", "2")]);
    ingest(&mut state, [digest("/b", "2")]);
    assert_eq!(texts(&state), ["0: /a", "1: /b /r /s /c"]);
    ingest(&mut state, [digest("/b", "3")]);
    assert_eq!(texts(&state), ["0: /a", "1: /c", "2: /b /r /s"]);
    ingest(&mut state, [digest("/b", "4")]);
    assert_eq!(texts(&state), ["0: /a", "1: /c", "2: /b /r /s"], "the id of a group stays");
}

#[test]
fn a_redirect_may_be_written_otherwise_than_its_target() {
    let (_folder, mut state) = state();
    let target = "http://a.test/p";
    let redirects =
        [redirect("/r", "http://A.test:80/p#top"), redirect("/s", "http://A.test:80/q")];
    ingest(&mut state, redirects);
    assert_eq!(groups(&state), []);
    ingest(&mut state, [digest(target, "1"), digest("http://A.test:80/q", "2")]);
    assert_eq!(texts(&state), ["0: /r http://a.test/p", "1: /s http://A.test:80/q"]);
}

#[test]
fn chains_of_redirects_change() {
    let (_folder, mut state) = state();
    ingest(&mut state, [redirect("/r", "/x"), redirect("/s", "/r"), digest("/a", "1")]);
    assert_eq!(texts(&state), ["0: /a"]);
    assert_eq!(state.query("/r").unwrap(), None);
    // What nobody had seen comes, and with it what led there.
    ingest(&mut state, [digest("/x", "2")]);
    assert_eq!(texts(&state), ["0: /a", "1: /r /s /x"]);
    ingest(&mut state, [redirect("/r", "/a")]);
    assert_eq!(texts(&state), ["0: /r /s /a", "1: /x"]);
    ingest(&mut state, [redirect("/a", "/x")]);
    assert_eq!(texts(&state), ["1: /r /s /a /x"]);
    ingest(&mut state, [redirect("/x", "/s")]);
    assert_eq!(groups(&state), []);
    assert_eq!(state.pages().unwrap().left_out.loops, 4);
    ingest(&mut state, [digest("/r", "9"), redirect("/y", "/y"), redirect("/z", "/x#top")]);
    assert_eq!(texts(&state).len(), 1);
    assert!(texts(&state)[0].ends_with(": /r /s /a /x /z"));
}

#[test]
fn a_page_that_becomes_a_redirect_leaves_its_duplicates() {
    let (_folder, mut state) = state();
    ingest(&mut state, [digest("/a", "1"), digest("/b/b", "1"), digest("/c", "2")]);
    ingest(&mut state, [redirect("/a", "/c")]);
    assert_eq!(texts(&state), ["0: /b/b", "1: /a /c"]);
    assert_eq!(answer(&mut state, "/b/b").1, "/b/b");
    assert_eq!(answer(&mut state, "/c").1, "/a");
}

#[test]
fn a_page_that_moves_takes_its_group_along() {
    let (_folder, mut state) = state();
    ingest(&mut state, [digest("/0", "0"), digest("/a", "1"), redirect("/r", "/a")]);
    ingest(&mut state, [redirect("/a", "/new"), digest("/new", "1")]);
    assert_eq!(texts(&state), ["0: /0", "1: /a /r /new"]);
}

#[test]
fn a_dead_canonical_url_is_replaced_from_its_duplicates() {
    let (_folder, mut state) = state();
    ingest(&mut state, [digest("/a", "1"), digest("/b/b", "1"), digest("/c/c/c", "1")]);
    assert_eq!(answer(&mut state, "/b/b").1, "/a");
    let report = ingest(&mut state, [gone("/a")]);
    assert_eq!(report.dead, 1);
    assert_eq!(answer(&mut state, "/c/c/c"), (0, "/b/b".into(), UrlVerdict::Duplicate));
    ingest(&mut state, [gone("/b/b"), gone("/c/c/c")]);
    assert_eq!(groups(&state), []);
    // The group is gone, and its id with it.
    ingest(&mut state, [digest("/a", "1")]);
    assert_eq!(texts(&state), ["1: /a"]);
}

#[test]
fn a_server_that_fails_changes_nothing() {
    let (_folder, mut state) = state();
    ingest(&mut state, [digest("/a", "1"), redirect("/r", "/a")]);
    let failed = [0, 304, 408, 429, 503].map(|status| Response { status, ..gone("/a") });
    for failed in failed {
        assert_eq!(ingest(&mut state, [failed]).unanswered, 1);
    }
    assert_eq!(texts(&state), ["0: /a /r"]);
}

#[test]
fn what_was_captured_before_is_passed_over() {
    let (_folder, mut state) = state();
    let at = |time: &str, page: Response| Response { time: Some(time.to_owned()), ..page };
    ingest(&mut state, [at("2026-02-01T00:00:00Z", digest("/a", "2"))]);
    let report = ingest(&mut state, [at("2026-01-01T00:00:00Z", gone("/a"))]);
    assert_eq!((report.outdated, groups(&state).len()), (1, 1));
    let report = ingest(&mut state, [at("2026-03-01T00:00:00Z", gone("/a"))]);
    assert_eq!((report.outdated, groups(&state).len()), (0, 0));
    // No time is any time.
    ingest(&mut state, [digest("/a", "3")]);
    assert_eq!(groups(&state).len(), 1);
    assert_eq!(ingest(&mut state, [at("2026-02-01T00:00:00Z", gone("/a"))]).outdated, 1);
}

#[test]
fn the_first_of_two_responses_in_a_batch_counts() {
    let (_folder, mut state) = state();
    let report = ingest(&mut state, [digest("/a", "1"), gone("/a"), digest("/b", "1")]);
    assert_eq!((report.responses, report.urls), (3, 2));
    assert_eq!(texts(&state), ["0: /a /b"]);
}

#[test]
fn a_group_that_changes_as_one_keeps_its_id() {
    let (_folder, mut state) = state();
    let version = |n: u64| ["/a", "/b", "/c"].map(|url| page(url, &format!("{n}"), n << 8));
    ingest(&mut state, version(0));
    let report = ingest(&mut state, version(0x55));
    assert_eq!(report.compared, 3);
    assert_eq!(texts(&state), ["0: /a /b /c"]);
    // The larger part has the id.
    ingest(&mut state, [page("/a", "x", 1), page("/b", "y", 2), page("/c", "y", 2)]);
    assert_eq!(texts(&state), ["0: /b /c", "1: /a"]);
}

#[test]
fn a_bridge_that_leaves_is_noticed_when_asked_and_repaired() {
    let (_folder, mut state) = state();
    ingest(&mut state, [page("/a", "t", 0), page("/b/b", "t", 63), page("/c/c", "t", 7)]);
    assert_eq!(texts(&state), ["0: /a /b/b /c/c"]);
    // As it is in a chain, while nothing has changed.
    assert_eq!(answer(&mut state, "/b/b").2, UrlVerdict::Differs);
    ingest(&mut state, [page("/c/c", "other", 1)]);
    assert_eq!(texts(&state), ["0: /a /b/b", "1: /c/c"]);
    let found = state.query("/b/b").unwrap().unwrap();
    assert!(found.repaired && found.verdict == UrlVerdict::Canonical && found.group == 2);
    assert_eq!(texts(&state), ["0: /a", "1: /c/c", "2: /b/b"]);
    check(&state);
    assert_eq!(state.repair().unwrap(), 0);
}

#[test]
fn all_that_parted_can_be_repaired_at_once() {
    let (_folder, mut state) = state();
    let chain = |title: &str| [0, 7, 63].map(|bits| page(&format!("/{title}/{bits}"), title, bits));
    ingest(&mut state, chain("t").into_iter().chain(chain("u")));
    ingest(&mut state, [gone("/t/7"), gone("/u/7")]);
    assert_eq!(groups(&state).len(), 2);
    assert_eq!(state.repair().unwrap(), 2);
    check(&state);
    assert_eq!(texts(&state), ["0: /t/0", "1: /u/0", "2: /t/63", "3: /u/63"]);
}

#[test]
fn canonical_urls_follow_the_order_of_the_state() {
    let folder = tempfile::tempdir().unwrap();
    let configure = |options: &mut LiveOptions| {
        options.canonical.order =
            ["importance", "static", "length"].map(|name| name.parse().unwrap()).to_vec();
    };
    let mut state = LiveClusters::open_or_make(folder.path(), configure).unwrap();
    let important = |url: &str, importance| Response { importance, ..digest(url, "1") };
    ingest(&mut state, [digest("/?a", "1"), digest("/long/path", "1")]);
    assert_eq!(answer(&mut state, "/?a").1, "/long/path");
    ingest(&mut state, [important("/x?y", Some(1.0)), important("/z", Some(0.5))]);
    assert_eq!(answer(&mut state, "/z").1, "/x?y");
    // Importance changes, content does not.
    ingest(&mut state, [important("/z", Some(2.0))]);
    assert_eq!(answer(&mut state, "/x?y").1, "/z");
    ingest(&mut state, [important("/z", Some(0.1))]);
    assert_eq!(answer(&mut state, "/z").1, "/x?y");
    drop(state);
    let described = LiveClusters::open_or_make(folder.path(), |o| *o = LiveOptions::default());
    assert!(
        described.unwrap_err().to_string().contains("was made with the order of canonical URLs")
    );
}

#[test]
fn a_state_is_one_process_and_one_version() {
    let (folder, state) = state();
    let describe = |folder: &Path| LiveClusters::open(folder).unwrap_err().to_string();
    assert!(
        describe(folder.path()).contains("is in use by another process"),
        "{}",
        describe(folder.path())
    );
    drop(state);
    let file = folder.path().join("clusters.redb");
    let mut state = LiveClusters::open(folder.path()).unwrap();
    state.meta.format += 1;
    state.ingest(ResponseBatch::new()).unwrap();
    drop(state);
    assert!(
        describe(folder.path()).contains("made by another version"),
        "{}",
        describe(folder.path())
    );
    for foreign in ["other", "meta"] {
        std::fs::remove_file(&file).unwrap();
        let database = redb::Database::create(&file).unwrap();
        let change = database.begin_write().unwrap();
        let table = redb::TableDefinition::<u64, u64>::new(foreign);
        change.open_table(table).unwrap().insert(1, 2).unwrap();
        change.commit().unwrap();
        drop(database);
        let before = std::fs::read(&file).unwrap();
        let expected = if foreign == "meta" { "another version" } else { "not a state of undust" };
        assert!(describe(folder.path()).contains(expected), "{}", describe(folder.path()));
        assert!(std::fs::read(&file).unwrap() == before);
    }
    #[cfg(unix)]
    {
        let elsewhere = folder.path().join("elsewhere.redb");
        std::fs::rename(&file, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        assert!(describe(folder.path()).contains("is a link"), "{}", describe(folder.path()));
        std::fs::remove_file(&file).unwrap();
    }
    std::fs::write(&file, "no store").unwrap();
    assert!(
        describe(folder.path()).contains("not a state of undust"),
        "{}",
        describe(folder.path())
    );
    std::fs::write(&file, "").unwrap();
    assert!(
        describe(folder.path()).contains("not a state of undust"),
        "{}",
        describe(folder.path())
    );
    std::fs::remove_file(&file).unwrap();
    assert!(
        describe(folder.path()).contains("holds no clusters yet"),
        "{}",
        describe(folder.path())
    );
}

#[test]
fn a_site_has_its_own_part_of_a_group() {
    let (_folder, mut state) = state();
    let titled = |url: &str, simhash| page(url, "t", simhash);
    ingest(
        &mut state,
        [titled("http://a.test/1", 0), titled("http://b.test/1", 7), titled("http://a.test/2", 63)],
    );
    assert_eq!(groups(&state).len(), 1);
    let (sites, urls_without_site) = state.sites(SiteBy::Host).unwrap();
    assert_eq!((sites.len(), urls_without_site), (2, 0));
    assert_eq!((sites[0].clusters.len(), sites[0].changes), (2, 2));
    let (sites, _) = state.sites(SiteBy::Domain).unwrap();
    assert_eq!(sites.len(), 2);
    let trained = Trained { changes: 2, pages: 2, by: "tree".into() };
    state.remember(&[("a.test".to_owned(), trained)]).unwrap();
    ingest(&mut state, [titled("http://a.test/3", 0xff00)]);
    let shares = |state: &LiveClusters| {
        let (sites, _) = state.sites(SiteBy::Host).unwrap();
        sites.iter().map(LiveSite::changed_share).collect::<Vec<_>>()
    };
    assert_eq!(shares(&state), [0.5, 1.0]);
}

fn any_response() -> impl Strategy<Value = Response> {
    let url = || "http://[ab]\\.test/[a-f]{1,2}";
    let simhash = prop_oneof![0u64..64, Just(0x00ff_ff00_u64)];
    prop_oneof![
        4 => (url(), "[tu]", simhash, prop::option::of(0u64..2), 299u64..301).prop_map(
            |(url, title, bits, text, words)| Response {
                text_hash: text.map(TextHash),
                words: Some(words),
                ..page(&url, &title, bits)
            }
        ),
        2 => (url(), "[x-z]").prop_map(|(url, text)| digest(&url, &text)),
        2 => (url(), url()).prop_map(|(url, location)| redirect(&url, &location)),
        1 => url().prop_map(|url| gone(&url)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// One batch is what the batch clusters are; their canonical URLs are those of training, and
    /// so it is with several batches that only add pages.
    #[test]
    fn batches_that_add_pages_give_the_clusters_of_all(
        responses in prop::collection::vec(any_response(), 0..80),
        parts in 1usize..5,
    ) {
        let mut builder = PagesBuilder::new();
        responses.iter().cloned().for_each(|response| builder.push(response));
        let expected = builder.finish();
        let (_folder, mut state) = state();
        let mut seen = std::collections::HashSet::new();
        let new: Vec<Response> = responses
            .into_iter()
            .filter(|response| seen.insert(response.url.clone()))
            .collect();
        for part in new.chunks(new.len().div_ceil(parts).max(1)) {
            ingest(&mut state, part.iter().cloned());
        }
        let made = state.pages().unwrap();
        prop_assert_eq!(&made.pages, &expected.pages);
        prop_assert_eq!(made.left_out, expected.left_out);
        let clusters = cluster(&expected.pages, &Default::default());
        prop_assert_eq!(&made.clusters(), &clusters);
        if parts == 1 {
            let dense: Vec<u32> = clusters.labels().to_vec();
            prop_assert_eq!(&made.groups, &dense, "groups are numbered like clusters");
        }
    }

    /// Whatever comes, the tables agree, and repair finds nothing that is not the same.
    #[test]
    fn the_tables_agree_after_any_batches(
        batches in prop::collection::vec(prop::collection::vec(any_response(), 0..30), 1..6),
    ) {
        let (_folder, mut state) = state();
        for batch in batches {
            ingest(&mut state, batch);
        }
        state.repair().unwrap();
        check(&state);
        // After repair no group has pages that are not connected.
        let made = state.pages().unwrap();
        let exact = cluster(&made.pages, &Default::default());
        let mut exact_of_group = std::collections::HashMap::new();
        for (page, group) in made.groups.iter().enumerate() {
            let cluster = exact_of_group.entry(*group).or_insert(exact.of(page));
            prop_assert_eq!(*cluster, exact.of(page));
        }
    }
}
