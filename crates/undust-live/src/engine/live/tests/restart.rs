//! A state goes on where it was, by its checkpoint or by its journal.

use super::*;

/// Whatever happens to a process: the next one decides as it would have, though nothing was told to end.
#[test]
fn a_state_goes_on_where_it_was() {
    goes_on_where_it_was(|_| learner(), |_| false, &[0, 150, 260]);
}

/// The same where the next one reads what the first one learned.
#[test]
fn a_state_that_keeps_what_was_learned_goes_on_where_it_was() {
    goes_on_where_it_was(|state| kept_by(state), |_| false, &[0, 150, 260]);
}

/// The same where some of the processes were told to end, and sites were put away.
#[test]
fn a_state_with_a_checkpoint_goes_on_where_it_was() {
    let ends = [0, 40, 41, 90, 150, 151, 200, 230, 260];
    goes_on_where_it_was(|state| kept_by(state), |_| true, &ends);
    for kept in 0..ends.len() - 2 {
        goes_on_where_it_was(|state| kept_by(state), |end| end == kept, &ends);
    }
}

/// A learner that keeps what it learns in a state.
fn kept_by(state: &Path) -> Arc<dyn Learn> {
    let state = Some(state.to_owned());
    Arc::new(AutoLearner { state, ..AutoLearner::new(Config::default()) })
}

fn goes_on_where_it_was(
    learner_of: impl Fn(&Path) -> Arc<dyn Learn>,
    is_told_to_end: impl Fn(usize) -> bool,
    ends: &[u32],
) {
    let options = options(false);
    let whole = Live::with_secret(options, Secret::of_seed(17), learner());
    let expected: Vec<_> =
        ends.windows(2).flat_map(|part| crawl(&whole, part[0]..part[1])).collect();
    assert!(expected.iter().any(|line| line.contains("Skip")));
    let folder = state_of_seed(17);
    let of = |live: &Live| -> Vec<_> {
        let stats = live.stats().into_values();
        stats.map(|s| (s.fetched, s.distinct, s.skipped, s.audits, s.spent, s.learnings)).collect()
    };
    let (mut decided, mut before) = (Vec::new(), Vec::new());
    for (number, part) in ends.windows(2).enumerate() {
        let live = Live::open(folder.path(), options, learner_of(folder.path())).expect("a state");
        assert_eq!(of(&live), before);
        decided.extend(crawl(&live, part[0]..part[1]));
        before = of(&live);
        if is_told_to_end(number) {
            if number % 2 == 0 {
                live.relieve_to(0).expect("a site that is put away");
            }
            live.keep().expect("the sites");
        }
    }
    assert_alike(&decided, &expected);
}

/// A backup may restore one file alone: all is there all the same, or a sentence says what is wrong.
#[test]
fn a_file_of_an_earlier_copy_is_told_or_costs_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["clusters.redb", "live.jsonl", "live.checkpoint", "live-1.jsonl.zst"];
    let copy = |from: &Path, to: &Path, name: &str| match std::fs::read(from.join(name)) {
        Ok(bytes) => std::fs::write(to.join(name), bytes).expect("a file"),
        Err(_) => drop(std::fs::remove_file(to.join(name))),
    };
    let open = |folder: &Path| Live::open(folder, options(false), kept_by(folder));
    let of = |live: &Live| -> Vec<_> {
        let state = live.state.as_ref().expect("a state");
        let pages = locked(&state.clusters).pages().expect("pages").pages.len();
        let figures = |site: SiteStats| (site.fetched, site.skipped, site.crawl, pages);
        live.stats().into_values().map(figures).collect()
    };
    let mut moments: Vec<(TempDir, Vec<_>)> = Vec::new();
    for (number, end) in [0, 30, 60, 90, 120, 150].into_iter().enumerate() {
        let live = open(folder.path()).expect("a state");
        crawl(&live, end..end + 30);
        if number % 3 == 1 {
            live.begin_crawl().expect("a crawl");
        }
        // Some were killed.
        if number % 4 < 3 {
            live.keep().expect("the sites");
        }
        if number == 3 {
            let state = live.state.as_ref().expect("a state");
            locked(&state.journal).end_part().expect("a part");
        }
        let found = of(&live);
        drop(live);
        let moment = tempfile::tempdir().expect("a folder");
        names.iter().for_each(|name| copy(folder.path(), moment.path(), name));
        moments.push((moment, found));
    }
    let last = &moments[moments.len() - 1].1;
    assert_eq!(last[0].3 as u64, last.iter().map(|site| site.0).sum::<u64>());
    let (mut told, mut whole) = (0, 0);
    for (now, (late, expected)) in moments.iter().enumerate() {
        let earlier = moments[..now].iter().map(|(earlier, _)| earlier.path());
        let nothing = tempfile::tempdir().expect("a folder");
        for early in earlier.chain([nothing.path()]) {
            let files = names.map(|name| vec![name]);
            for mixed in files.into_iter().chain([vec!["live.jsonl", "live.checkpoint"]]) {
                let state = tempfile::tempdir().expect("a folder");
                for name in names {
                    let from = if mixed.contains(&name) { early } else { late.path() };
                    copy(from, state.path(), name);
                }
                match open(state.path()) {
                    // What was not kept before it was killed only these two files know. Without both, what the clusters
                    // have is an earlier crawl.
                    Ok(_) if mixed.len() == 2 && (now % 4 == 3 || early == nothing.path()) => {}
                    Ok(live) => {
                        let fetched = |all: &[(u64, u64, _, usize)]| -> Vec<_> {
                            all.iter().map(|site| (site.0, site.1, site.2)).collect()
                        };
                        let found = of(&live);
                        assert_eq!(fetched(&found), fetched(expected), "{now} {mixed:?}");
                        assert!(found[0].3 >= expected[0].3, "{now} {mixed:?}: {found:?}");
                        whole += 1;
                    }
                    Err(error) => {
                        let error = error.to_string();
                        let is_told =
                            error.contains("from one copy") || error.contains("has other");
                        assert!(is_told && error.lines().count() == 1, "{now} {mixed:?}: {error}");
                        told += 1;
                    }
                }
            }
        }
    }
    assert!(told > 10 && whole > 50, "{told} {whole}");
}

/// The journal has what was in the clusters, and the sentence about their damage says so.
#[test]
fn damaged_clusters_are_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Live::open(folder.path(), options(false), kept_by(folder.path()));
    let pages = || {
        let clusters = LiveClusters::open(folder.path()).expect("clusters");
        clusters.pages().expect("pages").pages.len()
    };
    crawl(&open().expect("a state"), 0..100);
    drop(open().expect("a state"));
    let (known, file) = (pages(), folder.path().join("clusters.redb"));
    let whole = std::fs::read(&file).expect("clusters");
    let (mut random, mut told) = (ChaCha8Rng::seed_from_u64(7), 0);
    for round in 0..60 {
        let mut damaged = whole.clone();
        match round % 3 {
            0 => damaged.truncate(random.random_range(0..whole.len())),
            1 => damaged[..4096].fill(round),
            _ => (0..200).for_each(|_| {
                let at = random.random_range(0..whole.len());
                damaged[at] ^= 1 << random.random_range(0..8);
            }),
        }
        std::fs::write(&file, damaged).expect("a file");
        let Err(error) = open() else { continue };
        let error = error.to_string();
        assert!(error.contains("move it away to have it made again from the journal"), "{error}");
        std::fs::remove_file(&file).expect("the clusters");
        drop(open().expect("a state"));
        assert_eq!(pages(), known);
        told += 1;
    }
    assert!(told > 30, "{told}");
}

/// What sites share is in a checkpoint, too: small sites decide by what others showed.
#[test]
fn what_sites_share_is_in_a_checkpoint() {
    let visit = |live: &Live, sites: std::ops::Range<u32>| -> Vec<String> {
        let urls = sites.flat_map(|site| {
            (0..20).flat_map(move |page| {
                ["", "?v=1", "?v=2"].map(|query| format!("http://s{site}.test/story/{page}{query}"))
            })
        });
        let decided = urls.map(|url| {
            let decision = live.decide(&url).expect("a decision");
            if decision.fetches() {
                let story = url.split('?').next().unwrap_or_default();
                live.saw(response(&url, story)).expect("taken");
            }
            format!("{url} {decision:?}")
        });
        decided.collect()
    };
    let [alone, kept] = [(); 2].map(|()| state_of_seed(17));
    let open =
        |folder: &Path| Live::open(folder, options(false), kept_by(folder)).expect("a state");
    let whole = open(alone.path());
    let expected = [visit(&whole, 0..30), visit(&whole, 30..60)];
    let live = open(kept.path());
    visit(&live, 0..30);
    live.keep().expect("the sites");
    drop(live);
    let again = visit(&open(kept.path()), 30..60);
    assert_alike(&again, &expected[1]);
}

/// A checkpoint is read, and what is none of this state is not believed: it costs time and nothing else.
#[test]
fn a_checkpoint_that_is_not_of_this_state_is_not_believed() {
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let open =
        |folder: &Path, options| Live::open(folder, options, kept_by(folder)).expect("a state");
    let is_read = |folder: &Path, options| {
        Live::of_checkpoint(
            folder,
            &Journal::open(folder).expect("a journal"),
            options,
            &kept_by(folder),
        )
        .expect("a journal")
        .is_some()
    };
    let own = options(false);
    for folder in [folder.path(), other.path()] {
        let live = open(folder, own);
        crawl(&live, 0..120);
        live.keep().expect("the sites");
    }
    let file = folder.path().join("live.checkpoint");
    let bytes = std::fs::read(&file).expect("a checkpoint");
    assert!(is_read(folder.path(), own));
    assert!(!is_read(folder.path(), EngineOptions { audits: 0.5, ..own }));
    let foreign = std::fs::read(other.path().join("live.checkpoint")).expect("a checkpoint");
    std::fs::write(&file, foreign).expect("a file");
    assert!(!is_read(folder.path(), own));
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..200 {
        let mut damaged = bytes.clone();
        let place = random.random_range(0..damaged.len());
        match random.random_range(0..3) {
            0 => damaged.truncate(place),
            1 => damaged[place] ^= 1 << random.random_range(0..8),
            _ => damaged.extend([0; 5]),
        }
        std::fs::write(&file, damaged).expect("a file");
        assert!(!is_read(folder.path(), own));
    }
    // A journal that went back behind the checkpoint, and one whose model is gone.
    std::fs::write(&file, &bytes).expect("a file");
    std::fs::rename(folder.path().join("learned"), folder.path().join("elsewhere"))
        .expect("models");
    assert!(!is_read(folder.path(), own));
    std::fs::rename(folder.path().join("elsewhere"), folder.path().join("learned"))
        .expect("models");
    assert!(is_read(folder.path(), own));
    let journal = folder.path().join("live.jsonl");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    let shorter = text.trim_end().rsplit_once('\n').expect("lines").0.to_owned() + "\n";
    std::fs::write(&journal, shorter).expect("a journal");
    let open = || Live::open(folder.path(), own, kept_by(folder.path()));
    let error = open().expect_err("lines are gone").to_string();
    assert!(
        error.contains("live.checkpoint: was made of lines that live.jsonl does not"),
        "{error}"
    );
    std::fs::remove_file(&file).expect("the checkpoint");
    let error = open().expect_err("lines are gone").to_string();
    assert!(error.contains("clusters.redb: has lines that live.jsonl does not"), "{error}");
    std::fs::remove_file(folder.path().join("clusters.redb")).expect("the clusters");
    open().expect("a state");
}
