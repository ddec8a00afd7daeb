//! Progress that is reported to the observer, who may interrupt.

use super::*;

/// Keeps what is reported to it, and ends the work that has this name.
#[derive(Default)]
struct RecordedProgress(std::sync::Mutex<Vec<(&'static str, usize, usize)>>, &'static str);

impl crate::observer::Observer for RecordedProgress {
    fn progress(&self, what: &'static str, done: usize, of: usize) {
        self.0.lock().expect("a lock").push((what, done, of));
    }

    fn interrupted(&self) -> bool {
        self.0.lock().expect("a lock").iter().any(|recorded| recorded.0 == self.1)
    }
}

/// A model that does nothing would take the place of an older one that does.
#[test]
fn a_gate_that_is_interrupted_before_it_accepts_makes_no_model() {
    let (pages, clusters) = crawl(&site(60));
    let config = Config::default();
    let set = TrainingSet::new(&pages, &clusters);
    let edits = |ends: &'static str| {
        let recorded = RecordedProgress(Default::default(), ends);
        learn(&set, &Proposers::ALL, &config, &recorded).map(|editor| editor.describe().len())
    };
    assert!(edits("nothing").is_ok_and(|edits| edits > 0));
    for ends in ["dustbuster", "testing edits", "accepting edits"] {
        let error = edits(ends).expect_err("no model").to_string();
        assert!(error.contains("interrupted before anything was learned"), "{error}");
    }
}

/// What the gate does first takes time that grows with the site.
#[test]
fn nothing_is_begun_after_an_interruption() {
    let (pages, clusters) = crawl(&site(60));
    let config = Config::default();
    let set = TrainingSet::new(&pages, &clusters);
    let work = |ends: &'static str| {
        let recorded = RecordedProgress(Default::default(), ends);
        undust_util::op_counter::steps_of(|| {
            learn(&set, &Proposers::ALL, &config, &recorded).is_ok()
        })
    };
    let learners: Vec<(u64, bool)> = ["dustbuster", "duster"].map(work).into();
    assert!(learners.is_sorted() && learners.iter().all(|(_, is_ok)| !is_ok), "{learners:?}");
    let (last, begun, whole) = (learners[1].0, work("testing edits").0, work("nothing").0);
    assert!(last < begun && 2 * (begun - last) < whole - last, "{learners:?} {begun} {whole}");
}

/// Ends the work when progress was reported so often of candidates, from the beginning of a queue.
struct Ends(std::sync::atomic::AtomicUsize, usize);

impl crate::observer::Observer for Ends {
    fn progress(&self, what: &'static str, done: usize, _: usize) {
        let is_begun = what == "testing edits" && done == 0;
        self.0.fetch_add(usize::from(is_begun), std::sync::atomic::Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed) >= self.1
    }
}

/// Round after round: what the rounds before accepted stays.
#[test]
fn an_interrupted_gate_keeps_what_it_accepted() {
    let (pages, clusters) = crawl(&site(60));
    let config = Config::default();
    let set = TrainingSet::new(&pages, &clusters);
    let edits = |rounds: usize| {
        let ends = Ends(Default::default(), rounds);
        let editor = learn(&set, &Proposers::SLOTS, &config, &ends).expect("a model");
        editor.describe().into_iter().map(|edit| edit.notation).collect::<Vec<_>>()
    };
    let (whole, begun) = (edits(usize::MAX), edits(2));
    assert!(!begun.is_empty() && whole.starts_with(&begun), "{whole:?} {begun:?}");
}

#[test]
fn progress_names_the_learner_and_the_candidates_left() {
    let (pages, clusters) = crawl(&site(60));
    let (config, recorded) = (Config::default(), RecordedProgress::default());
    let set = TrainingSet::new(&pages, &clusters);
    learn(&set, &Proposers::ALL, &config, &recorded).expect("a model");
    let recorded = recorded.0.into_inner().expect("a lock");
    let learners: Vec<_> =
        recorded.iter().map_while(|(what, _, of)| (*of == 0).then_some(*what)).collect();
    assert_eq!(learners, ["dustbuster", "duster"]);
    let rounds = &recorded[learners.len()..];
    assert!(rounds.iter().all(|(_, done, of)| done < of), "{rounds:?}");
    let is_begun = |what: &str| rounds.iter().any(|recorded| (recorded.0, recorded.1) == (what, 0));
    assert!(is_begun("testing edits") && is_begun("accepting edits"), "{rounds:?}");
}
