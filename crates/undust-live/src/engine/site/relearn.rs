//! A site is learned anew, from what was fetched of it, while its URLs go on being decided upon.

use std::mem;
use std::sync::Arc;

use undust_cluster::clusters::Clusters;
use undust_cluster::groups::UnionFind;
use undust_learn::observer::Observer;
use undust_util::error::Result;

use super::SiteEngine;
use super::form_sample::FormSample;
use super::marks::{Mark, Marks};
use super::url_log::UrlLog;
use crate::engine::classes::LearnedTest;
use crate::engine::evidence::{Asked, Evidence, Hypotheses, Known};
use crate::engine::index::Index;
use crate::engine::learning::Learn;
use crate::engine::options::{EngineOptions, bytes_of_row};
use crate::engine::secret::Secret;

/// What a site is learned from: its pages at one moment, most of them shared with the site.
pub(in crate::engine) struct SiteSnapshot {
    options: EngineOptions,
    secret: Secret,
    /// What was believed, but for all that it says.
    like: Evidence,
    /// Bytes that the evidence may take.
    evidence_share: usize,
    log: UrlLog,
    marks: Marks,
    sets: UnionFind,
}

/// What was learned from the first pages of a site.
pub(in crate::engine) struct Learning {
    /// How many pages it was learned from.
    pub pages: usize,
    hypotheses: Hypotheses,
    evidence: Evidence,
}

impl SiteSnapshot {
    /// Learns, and puts all pages into groups by what was learned, which only later pages test. Takes nothing of the
    /// site's time.
    ///
    /// # Errors
    ///
    /// Those of [`Learn::learn`].
    pub(in crate::engine) fn learn(
        mut self,
        learner: &dyn Learn,
        observer: &dyn Observer,
    ) -> Result<Learning> {
        let (mut pages, mut labels) = (Vec::new(), Vec::new());
        let marks = &self.marks;
        let teaches = |Mark { is_banned, is_old, .. }| !is_banned && !is_old;
        let mut all = 0;
        self.log.each_from(0, |number, page| {
            all += usize::from(teaches(marks.of(number))) * bytes_of_row(page.url);
        });
        let most = self.options.bytes_of_learning();
        let mut sample = FormSample::new(self.secret, learner.begin(), all, most);
        self.log.each_from(0, |number, page| {
            if teaches(marks.of(number)) && sample.has(page.url) {
                pages.push(page.page());
                labels.push(self.sets.root(number));
            }
        });
        let clusters = Clusters::from_labels(labels);
        let hypotheses = self.options.with_own(learner.learn(&pages, &clusters, observer)?);
        drop((pages, clusters));
        let pages = self.marks.len();
        let evidence = self.test(&hypotheses);
        Ok(Learning { pages, hypotheses, evidence })
    }

    fn test(self, hypotheses: &Hypotheses) -> Evidence {
        let Self { secret, like, evidence_share, log, marks, sets, .. } = self;
        let (mut evidence, mut asked) = (like, Asked::new(secret));
        let mut known = Tested {
            sets,
            marks: &marks,
            first: log.first(),
            keys: Vec::new(),
            newest: Index::default(),
        };
        log.each_from(0, |number, page| {
            known.keys.resize((number - known.first) as usize, 0);
            known.keys.push(secret.hash(page.url));
            let mark = marks.of(number);
            if !mark.is_banned {
                asked.ask(hypotheses, page.url);
                let fetched = mark.fetched(number, known.cluster(number));
                evidence.take(&asked, page.url, fetched, true, &mut known);
                evidence.keep_within(evidence_share);
                known.make_newest(number);
            }
        });
        evidence
    }
}

/// The pages that were tested so far.
struct Tested<'m> {
    sets: UnionFind,
    marks: &'m Marks,
    /// The first of them: the texts of the oldest URLs may be forgotten.
    first: u32,
    /// Hashes of their URLs.
    keys: Vec<u64>,
    newest: Index,
}

impl Tested<'_> {
    fn make_newest(&mut self, number: u32) {
        let (first, keys) = (self.first, &self.keys);
        let key_of = |number: u32| keys[(number - first) as usize];
        self.newest.insert(key_of(number), number, key_of);
    }
}

impl Known for Tested<'_> {
    fn cluster(&mut self, page: u32) -> u32 {
        self.sets.root(page)
    }

    fn newest(&self, url: u64) -> Option<(u32, u16)> {
        let newest = self.newest.get(url, |number| self.keys[(number - self.first) as usize]);
        newest.map(|number| (number, self.marks.crawl(number)))
    }
}

impl SiteEngine {
    /// Whether it is time to learn. The pages of a ban teach nothing, and keep nobody from learning
    /// of the others.
    pub(in crate::engine) fn is_learning_due(&self) -> bool {
        self.genuine() >= self.next_learning
    }

    /// How many pages say something.
    fn genuine(&self) -> usize {
        self.pages.len() - self.stats.ignored as usize
    }

    /// What it is learned from now. The next learning is put off until the pages have grown.
    pub(in crate::engine) fn snapshot(&mut self) -> SiteSnapshot {
        self.plan_after(self.genuine());
        SiteSnapshot {
            options: self.options,
            secret: self.secret,
            like: self.evidence.like(),
            evidence_share: self.evidence_share(),
            log: self.pages.log().clone(),
            marks: self.pages.marks().clone(),
            sets: self.labels.sets(),
        }
    }

    /// Believes what was learned, and tests it on the pages that came meanwhile.
    pub(in crate::engine) fn install(&mut self, learning: Learning) {
        self.hypotheses = Arc::new(learning.hypotheses);
        let before = mem::replace(&mut self.evidence, learning.evidence);
        self.evidence.classes.inherit(before.classes);
        self.stats.learnings += 1;
        self.defers_tests = false;
        // A ban may have begun meanwhile.
        for number in self.evidence.recent() {
            if self.pages.marks().of(number).is_banned {
                self.take_back(number);
            }
        }
        let log = self.pages.log().clone();
        log.each_from(learning.pages as u32, |number, page| {
            if !self.pages.marks().of(number).is_banned {
                let label = self.labels.of(number);
                self.test(page.url, number, label);
            }
        });
    }

    /// Lets pages be no tests until what is believed is installed, which tests them all.
    pub(in crate::engine) fn defer_tests(&mut self) {
        self.defers_tests = true;
    }

    /// The tests of what was learned so far.
    pub(in crate::engine) fn learned_tests(&self) -> Vec<LearnedTest> {
        self.evidence.classes.learned_tests()
    }

    /// Restores them, before what is believed is installed.
    pub(in crate::engine) fn restore_tests(&mut self, tests: &[LearnedTest]) {
        self.evidence.classes.restore(tests);
    }

    /// Counts a learning of an earlier process, which a later one has replaced.
    pub(in crate::engine) fn note_learning(&mut self, pages: usize) {
        self.stats.learnings += 1;
        self.plan_after(pages.min(self.genuine()));
    }

    /// Has the site learned at once, from what is known of it: what was learned is gone.
    pub(in crate::engine) fn learn_again(&mut self) {
        self.next_learning = self.genuine();
    }

    fn plan_after(&mut self, pages: usize) {
        self.learned = pages;
        self.next_learning = ((pages as f64 * self.options.growth) as usize).max(pages + 1);
    }

    /// Counts a learning that failed: what was believed before stays.
    pub(in crate::engine) fn fail_learning(&mut self) {
        self.stats.failed_learnings += 1;
    }

    /// How many pages it has.
    pub(in crate::engine) fn len(&self) -> usize {
        self.pages.len()
    }
}
