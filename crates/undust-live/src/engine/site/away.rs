//! A site as bytes, so that it can be put away.

use std::io::Write;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::pages::{KeptPages, Pages};
use super::{
    Asked, Audits, BanGuard, EngineOptions, Evidence, Found, FxHashMap, FxHashSet, Hypotheses,
    Pending, Redirects, Secret, SiteEngine, SiteStats, Spent,
};
use crate::engine::labels::{KeptLabels, Labels};
use crate::engine::shared::Member;

/// Its tables, in the order in which they are written.
type Tables = (
    Evidence,
    KeptLabels,
    KeptPages,
    FxHashMap<u64, u32>,
    Found,
    FxHashMap<u64, Pending>,
    FxHashSet<u64>,
    Redirects,
    BanGuard,
    Spent,
);

/// Its numbers.
type Numbers = (u16, usize, usize, f64, Audits, bool, SiteStats);

/// What a site is made of again, but for what is believed.
#[derive(Deserialize)]
pub(in crate::engine) struct KeptSite(Tables, Numbers);

impl SiteEngine {
    /// All that is known of it, but for what is believed.
    fn kept(&self) -> impl Serialize {
        let Self { evidence, labels, pages, ends, found, pending, fetches, .. } = self;
        let Self { redirects, ban, spent, .. } = self;
        let Self {
            crawl, learned, next_learning, proven, earlier_audits, defers_tests, stats, ..
        } = self;
        let (labels, pages) = (labels.kept(), pages.kept());
        let tables =
            (evidence, labels, pages, ends, found, pending, fetches, redirects, ban, spent);
        let numbers = (crawl, learned, next_learning, proven, earlier_audits, defers_tests, stats);
        (tables, numbers)
    }

    /// Its bytes.
    ///
    /// # Errors
    ///
    /// None, as long as there is memory.
    pub(in crate::engine) fn put_in_bytes(&self) -> postcard::Result<Vec<u8>> {
        postcard::to_stdvec(&self.kept())
    }

    /// Writes its bytes, and takes no memory for them.
    ///
    /// # Errors
    ///
    /// Those of the file.
    pub(in crate::engine) fn write_to(&self, file: impl Write) -> postcard::Result<()> {
        postcard::to_io(&self.kept(), file).map(drop)
    }

    /// What is believed of it.
    pub(in crate::engine) fn hypotheses(&self) -> Arc<Hypotheses> {
        Arc::clone(&self.hypotheses)
    }

    /// The site among the others.
    pub(in crate::engine) fn member(&self) -> Option<Member> {
        self.evidence.classes.member().cloned()
    }

    /// The site of which these are the bytes.
    ///
    /// # Errors
    ///
    /// Other bytes.
    pub(in crate::engine) fn from_bytes(
        bytes: &[u8],
        options: EngineOptions,
        secret: Secret,
        hypotheses: Arc<Hypotheses>,
        member: Option<Member>,
    ) -> postcard::Result<Self> {
        let kept = postcard::from_bytes(bytes)?;
        Ok(Self::from_kept(kept, options, secret, hypotheses, member))
    }

    /// The site as it was.
    pub(in crate::engine) fn from_kept(
        KeptSite(tables, numbers): KeptSite,
        options: EngineOptions,
        secret: Secret,
        hypotheses: Arc<Hypotheses>,
        member: Option<Member>,
    ) -> Self {
        let (mut evidence, labels, pages, ends, found, pending, fetches, redirects, ban, spent) =
            tables;
        let (crawl, learned, next_learning, proven, earlier_audits, defers_tests, stats) = numbers;
        evidence.classes.come_back(member);
        let labels = Labels::from_kept(options.clusters, secret.hash("labels"), labels);
        let (pages, asked) = (Pages::from_kept(pages), Asked::new(secret));
        Self {
            options,
            secret,
            hypotheses,
            evidence,
            labels,
            pages,
            ends,
            found,
            pending,
            fetches,
            redirects,
            ban,
            crawl,
            learned,
            next_learning,
            proven,
            earlier_audits,
            spent,
            defers_tests,
            stats,
            asked,
        }
    }
}

impl SiteEngine {
    /// Forgets what was being fetched when the process ended.
    pub(in crate::engine) fn forget_fetches(&mut self) {
        self.fetches.clear();
    }
}
