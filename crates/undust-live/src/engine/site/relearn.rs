//! A site is learned anew, from what was fetched of it, while its URLs go on being decided upon.

use std::mem;
use std::sync::Arc;

use undust_cluster::clusters::Clusters;
use undust_learn::observer::Observer;
use undust_pages::page::Page;
use undust_util::error::Result;

use super::{Mark, SiteEngine};
use crate::engine::classes::LearnedTest;
use crate::engine::evidence::{Asked, Evidence, Hypotheses};
use crate::engine::learning::Learn;
use crate::engine::secret::Secret;

/// What a site is learned from: its pages at one moment.
pub(in crate::engine) struct Material {
    secret: Secret,
    pages: Vec<Page>,
    marks: Vec<Mark>,
    labels: Vec<u32>,
}

/// What was learned from the first pages of a site.
pub(in crate::engine) struct Learning {
    /// How many pages it was learned from.
    pub pages: usize,
    hypotheses: Hypotheses,
    evidence: Evidence,
}

impl Material {
    /// Learns, and tests what was learned on the pages that taught it. Takes nothing of the site's
    /// time.
    ///
    /// # Errors
    ///
    /// Those of [`Learn::learn`].
    pub(in crate::engine) fn learn(
        self,
        learner: &dyn Learn,
        observer: &dyn Observer,
    ) -> Result<Learning> {
        let teaches = |mark: &Mark| !mark.is_banned && !mark.is_old;
        let rows = || self.marks.iter().enumerate().filter(|(_, mark)| teaches(mark));
        let pages: Vec<Page> = rows().map(|(number, _)| self.pages[number].clone()).collect();
        let clusters = Clusters::from_labels(rows().map(|(number, _)| self.labels[number]));
        let hypotheses = learner.learn(&pages, &clusters, observer)?;
        let evidence = self.test(&hypotheses);
        Ok(Learning { pages: self.pages.len(), hypotheses, evidence })
    }

    fn test(&self, hypotheses: &Hypotheses) -> Evidence {
        let (mut evidence, mut asked) = (Evidence::default(), Asked::new(self.secret));
        let rows = self.pages.iter().zip(&self.marks).zip(&self.labels).zip(0..);
        for (((page, mark), label), number) in rows {
            if !mark.is_banned {
                asked.ask(hypotheses, &page.url);
                let fetched = mark.fetched(number, *label);
                evidence.take(&asked, fetched, true, &mut |page| self.labels[page as usize]);
            }
        }
        evidence
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
    pub(in crate::engine) fn material(&mut self) -> Material {
        self.plan_after(self.genuine());
        Material {
            secret: self.secret,
            pages: self.pages.clone(),
            marks: self.marks.clone(),
            labels: self.labels.all(),
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
            if self.marks[number as usize].is_banned {
                self.take_back(number);
            }
        }
        for number in learning.pages..self.pages.len() {
            if !self.marks[number].is_banned {
                let label = self.labels.of(number as u32);
                self.test(number as u32, label);
            }
        }
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
