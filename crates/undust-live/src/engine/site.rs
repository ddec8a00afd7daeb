//! One site: its pages so far, what is believed of it, and what becomes of its next URL.

mod away;
mod form_sample;
mod found;
mod marks;
mod pages;
mod redirects;
mod relearn;
#[cfg(test)]
mod tests;
mod url_log;
mod within;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use undust_pages::pages::ResponseOutcome;

use self::found::Found;
use self::marks::Mark;
use self::pages::Pages;
use self::redirects::{Redirects, requested};
pub(super) use self::relearn::{Learning, SiteSnapshot};
use self::url_log::LoggedPage;
use super::audit::Audits;
use super::ban::{BanGuard, Verdict};
use super::classes::{Trust, is_settled};
use super::decision::{Decision, SiteStats};
use super::evidence::{Asked, Evidence, Hypotheses, Known, Reason};
use super::explain::FormEvidence;
use super::folder::Folder;
use super::journal::Event;
use super::labels::{Labels, Shown};
use super::options::EngineOptions;
use super::propose::Kind;
use super::secret::Secret;
use super::shared::{Member, Spending};
use super::spent::{AccountKey, Spent};

/// A skip that is more likely than this to lose a page is never worth it.
const MOST_LOSS: f32 = 0.04;

/// Growth of the fetched pages after which a class that failed is reason enough to learn anew.
const GROWTH_AFTER_FAILURE: f64 = 1.1;

/// A URL that would have been skipped, is fetched, and has not come back.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Pending {
    /// It would have been skipped for this class, and measures what skips lose.
    Audit(u64),
    /// It would have been skipped for this class, and tests it.
    Probe(u64),
}

/// The fetched pages, for the evidence.
struct Fetches<'s> {
    labels: &'s mut Labels,
    pages: &'s Pages,
}

impl Known for Fetches<'_> {
    fn cluster(&mut self, page: u32) -> u32 {
        self.labels.of(page)
    }

    fn newest(&self, url: u64) -> Option<(u32, u16)> {
        self.pages.newest(url).map(|number| (number, self.pages.marks().crawl(number)))
    }
}

/// One site.
pub(super) struct SiteEngine {
    options: EngineOptions,
    secret: Secret,
    hypotheses: Arc<Hypotheses>,
    evidence: Evidence,
    labels: Labels,
    pages: Pages,
    /// By hash of the name of where redirects ended in this crawl: the first page there. What that
    /// shows in another crawl may be another page.
    ends: FxHashMap<u64, u32>,
    found: Found,
    pending: FxHashMap<u64, Pending>,
    /// Other URLs that are fetched and have not come back. The journal has none of them, so nothing depends on them.
    fetches: FxHashSet<u64>,
    redirects: Redirects,
    ban: BanGuard,
    crawl: u16,
    /// Fetched pages when the site was learned, and when it is to be learned again.
    learned: usize,
    next_learning: usize,
    /// Skips of this crawl that audits prove to have lost a page, at least.
    proven: f64,
    /// What audits showed in earlier crawls.
    earlier_audits: Audits,
    spent: Spent,
    /// Whether pages are no tests for now: what is believed is still to be learned again.
    defers_tests: bool,
    stats: SiteStats,
    asked: Asked,
}

impl SiteEngine {
    /// A site about which nothing is known but these hypotheses.
    pub(super) fn new(options: EngineOptions, secret: Secret, hypotheses: Arc<Hypotheses>) -> Self {
        Self {
            options,
            secret,
            hypotheses,
            evidence: Evidence::default(),
            labels: Labels::new(options.clusters, secret.hash("labels")),
            pages: Pages::default(),
            ends: FxHashMap::default(),
            found: Found::default(),
            pending: FxHashMap::default(),
            fetches: FxHashSet::default(),
            redirects: Redirects::default(),
            ban: BanGuard::default(),
            crawl: 1,
            learned: 0,
            next_learning: options.first_learning,
            proven: 0.0,
            earlier_audits: Audits::default(),
            spent: Spent::default(),
            defers_tests: false,
            stats: SiteStats::default(),
            asked: Asked::new(secret),
        }
    }

    /// The same beside other sites, whose tests it knows.
    pub(super) fn among(mut self, member: Member) -> Self {
        self.evidence.classes.join(member);
        self
    }

    /// Has the site take part among the others with its first page: a host that has none must not
    /// take the place of another.
    pub(super) fn take_part(&mut self, outcome: &ResponseOutcome) {
        if self.pages.len() == 0 && matches!(outcome, ResponseOutcome::Content { .. }) {
            self.evidence.classes.take_part();
        }
    }

    /// Decides upon a URL that leaves the queue. With it, what counts as soon as the journal has it, by [`Self::keep`].
    pub(super) fn decide(&mut self, url: &str) -> (Decision, Option<Event>) {
        if self.was_fetched(self.key(url)) {
            return (fetched_before(url), None);
        }
        let reason = match self.reason(url) {
            Some(reason) if self.is_worth(&reason) => reason,
            reason => return (self.fetch(url, reason), None),
        };
        let Reason { loss, class, account, is_drawn, .. } = reason;
        let (url, AccountKey { class: number, group }) = (url.to_owned(), account);
        let classes = &self.evidence.classes;
        let growth = classes.growth(&class, account, is_drawn, self.stats.distinct);
        let event = if !is_settled(account, loss) && self.is_audited(&url) {
            Event::Audit { url, class: number }
        } else if classes.probes.is_due(account, growth, &self.secret) {
            Event::Probe { url, class: number, group, squares: growth.has_squares }
        } else {
            let model = class.trust == Trust::Accepted;
            Event::Skip { url, class: number, group, loss, model }
        };
        let Reason { form, hypothesis, fetched, .. } = reason;
        let decision = match event {
            Event::Skip { .. } => Decision::Skip { form, why: hypothesis, fetched, loss },
            Event::Audit { .. } => Decision::Probe { hypothesis: format!("audit: {hypothesis}") },
            _ => Decision::Probe { hypothesis },
        };
        (decision, Some(event))
    }

    /// Decides upon a URL where there is no journal.
    pub(super) fn decide_and_keep(&mut self, url: &str) -> Decision {
        let (decision, event) = self.decide(url);
        event.iter().for_each(|event| self.keep(event));
        decision
    }

    /// What would become of a URL that is drawn for no test, and what is known of its forms. Counts nothing.
    pub(super) fn explain(&mut self, url: &str) -> (Decision, Vec<FormEvidence>) {
        let reason = self.reason(url);
        let decision = match reason {
            _ if self.was_fetched(self.key(url)) => fetched_before(url),
            None => Decision::Fetch,
            Some(reason) if self.is_worth(&reason) => {
                let Reason { form, hypothesis, fetched, loss, .. } = reason;
                Decision::Skip { form, why: hypothesis, fetched, loss }
            }
            Some(Reason { hypothesis, .. }) => Decision::Probe { hypothesis },
        };
        let known = &mut Fetches { labels: &mut self.labels, pages: &self.pages };
        (decision, self.evidence.forms(&self.asked, self.crawl, known))
    }

    /// Fetches a URL, which is a probe where its group has members.
    fn fetch(&mut self, url: &str, reason: Option<Reason>) -> Decision {
        self.note_fetch(self.key(url));
        let Some(Reason { hypothesis, .. }) = reason else { return Decision::Fetch };
        self.stats.probes += 1;
        Decision::Probe { hypothesis }
    }

    fn reason(&mut self, url: &str) -> Option<Reason> {
        self.asked.ask(&self.hypotheses, url);
        let known = &mut Fetches { labels: &mut self.labels, pages: &self.pages };
        let reason = self.evidence.reason(&self.asked, self.crawl, known);
        reason.filter(|reason| self.options.probes || reason.class.trust == Trust::Accepted)
    }

    /// The key of a URL in the tables.
    fn key(&self, url: &str) -> u64 {
        self.secret.hash(url)
    }

    fn was_fetched(&self, key: u64) -> bool {
        self.pages.newest(key).is_some_and(|number| self.pages.marks().crawl(number) == self.crawl)
    }

    /// Whether a skip is unlikely enough to lose a page, and the budget has room for it. What
    /// audits prove to be lost counts where it is more than what was expected. A skip that is next to
    /// certain is worth it whatever was spent.
    fn is_worth(&self, reason: &Reason) -> bool {
        if !self.options.budget || is_settled(reason.account, reason.loss) {
            return reason.loss <= MOST_LOSS;
        }
        let budget = self.options.risk * self.stats.distinct as f64;
        let spent = self.spent.after(reason.account, reason.loss);
        let spent = spent.max(self.proven + f64::from(reason.loss));
        let more = spent - self.spending().spent;
        let may_borrow = |member: &Member| member.may_borrow(spent - budget, more);
        reason.loss <= MOST_LOSS
            && (spent <= budget || self.evidence.classes.member().is_some_and(may_borrow))
    }

    /// Whether a URL is drawn for an audit. In another crawl others are, so that what was skipped
    /// says nothing of what will be.
    fn is_audited(&self, url: &str) -> bool {
        self.secret.draw("audit", self.crawl.into(), url) < self.options.audits
    }

    /// Counts a skip, an audit or a probe, of this process or of an earlier one.
    pub(super) fn keep(&mut self, event: &Event) {
        match *event {
            Event::Skip { class, group, loss, model, .. } => {
                self.skip(AccountKey { class, group }, loss, model);
            }
            Event::Audit { ref url, class } => {
                let before = self.pending.insert(self.key(url), Pending::Audit(class));
                self.stats.audits.trials += u64::from(before.is_none());
                self.forget_undecided();
            }
            Event::Probe { ref url, class, group, squares } => {
                self.pending.entry(self.key(url)).or_insert(Pending::Probe(class));
                self.stats.probes += 1;
                self.evidence.classes.probes.probe(AccountKey { class, group }, squares);
                self.forget_undecided();
            }
            _ => {}
        }
    }

    fn skip(&mut self, account: AccountKey, loss: f32, is_by_model: bool) {
        self.spent.skip(account, loss);
        self.spend(|site| site.stats.spent = site.spent.total());
        let stats = &mut self.stats;
        stats.skipped += 1;
        stats.skipped_in_crawl += 1;
        *(if is_settled(account, loss) { &mut stats.settled } else { &mut stats.audits.trials }) +=
            1;
        *(if is_by_model { &mut stats.by_model } else { &mut stats.by_probes }) += 1;
        self.evidence.classes.probes.skip(account);
    }

    /// Pages, and how many of them skips may have lost: by what was expected, or by what audits
    /// prove.
    fn spending(&self) -> Spending {
        Spending { distinct: self.stats.distinct, spent: self.stats.spent.max(self.proven) }
    }

    /// Changes that, and lets the other sites know.
    fn spend(&mut self, change: impl FnOnce(&mut Self)) {
        let before = self.spending();
        change(self);
        if let Some(member) = self.evidence.classes.member() {
            member.spend(before, self.spending());
        }
    }

    /// Takes what came back for a URL. The first answer of a URL counts in each crawl.
    pub(super) fn saw(&mut self, url: &str, outcome: ResponseOutcome) {
        self.saw_at(url, outcome, None);
    }

    /// The same; where a page was found its redirects ended at `end`, if that has a name.
    pub(super) fn saw_at(&mut self, url: &str, outcome: ResponseOutcome, end: Option<&str>) {
        let key = self.key(url);
        self.fetches.remove(&key);
        let pending = self.pending.remove(&key);
        match outcome {
            _ if self.was_fetched(key) => {}
            ResponseOutcome::Content { title, simhash, short_text, digest, .. } => {
                let number = self.pages.len() as u32;
                let end = end.map(|end| *self.ends.entry(self.secret.hash(end)).or_insert(number));
                let shown = Shown { title, simhash, short_text, digest };
                let label = self.labels.add(&shown, end).label;
                self.take(&LoggedPage { url, title, is_redirect: false }, label, pending);
                self.resolve(key);
            }
            ResponseOutcome::Redirect(target) => match self.target(&target) {
                Some(number) => self.follow(url, number, pending),
                None => {
                    let target = self.key(&requested(&target));
                    self.redirects.wait(target, url, pending);
                    self.forget_undecided();
                }
            },
            ResponseOutcome::Dropped(_) => self.forget(pending),
        }
    }

    /// What failed was no trial: nobody knows what it would have shown.
    fn forget(&mut self, pending: Option<Pending>) {
        if let Some(Pending::Audit(_)) = pending {
            self.stats.audits.trials -= 1;
        }
    }

    /// Takes a page of this cluster whose URL was not fetched in this crawl.
    fn take(&mut self, page: &LoggedPage<'_>, label: u32, pending: Option<Pending>) {
        let number = self.pages.len() as u32;
        let folder = Folder::of(&self.secret, page.url);
        let crawl = self.crawl;
        let (is_new, is_new_there) = self.found.note(label, folder, crawl);
        let mark = Mark { is_new, is_new_there, is_banned: false, is_old: false, crawl };
        let place = (Kind::of(page.url).wide(), folder);
        let verdict = self.ban.look(number, label, is_new, place);
        self.pages.push(self.key(page.url), page, mark);
        match verdict {
            Verdict::Banned => self.ignore(number),
            Verdict::Begins(numbers) => numbers.into_iter().for_each(|number| self.ignore(number)),
            Verdict::Genuine => {
                self.stats.fetched += 1;
                self.stats.fetched_in_crawl += 1;
                self.spend(|site| site.stats.distinct += u64::from(is_new));
                self.test(page.url, number, label);
                // It is no test of itself.
                if let Some(old) = self.pages.make_newest(number) {
                    self.pages.mark(old, |mark| mark.is_old = true);
                }
            }
        }
        self.finish(pending, is_new);
        self.keep_within();
    }

    /// Lets a page say nothing; its URL may be fetched again.
    fn ignore(&mut self, number: u32) {
        let Mark { is_new, crawl, .. } = self.pages.mark(number, |mark| mark.is_banned = true);
        if self.pages.forget_newest(number) {
            self.stats.fetched -= 1;
            // A ban is shorter than a crawl, but one may begin in it.
            self.stats.fetched_in_crawl = self.stats.fetched_in_crawl.saturating_sub(1);
            let is_counted = is_new && crawl == self.crawl;
            self.spend(|site| site.stats.distinct -= u64::from(is_counted));
        }
        self.stats.ignored += 1;
        self.take_back(number);
    }

    /// Takes a page back as a test, if it was one of the last.
    fn take_back(&mut self, number: u32) {
        let Some(recent) = self.evidence.forget_recent(number) else { return };
        self.asked.ask(&self.hypotheses, &recent.url);
        let known = &mut Fetches { labels: &mut self.labels, pages: &self.pages };
        self.evidence.take_back(&self.asked, &recent, known);
    }

    fn test(&mut self, url: &str, number: u32, label: u32) {
        if self.defers_tests {
            return;
        }
        let fetched = self.pages.marks().of(number).fetched(number, label);
        self.asked.ask(&self.hypotheses, url);
        let known = &mut Fetches { labels: &mut self.labels, pages: &self.pages };
        self.evidence.take(&self.asked, url, fetched, false, known);
    }

    /// What would have been skipped has come back. If that would have lost a page, so do others of
    /// its class: skips of it end until the site is learned anew, which is due soon.
    fn finish(&mut self, pending: Option<Pending>, is_new: bool) {
        let class = match pending {
            None => return,
            Some(Pending::Probe(class)) => class,
            Some(Pending::Audit(class)) => {
                self.stats.audits.audited += 1;
                self.stats.audits.lost += u64::from(is_new);
                let audits = self.stats.audits.since(&self.earlier_audits);
                let proven = audits.at_least(self.options.audits) * audits.trials as f64;
                self.spend(|site| site.proven = proven);
                class
            }
        };
        if is_new {
            self.evidence.classes.switch_off(class);
            let soon = (self.learned as f64 * GROWTH_AFTER_FAILURE) as usize;
            self.next_learning = self.next_learning.min(soon.max(self.options.first_learning));
        }
    }

    /// From now on every page is to be found again: what was fetched may have changed, what was
    /// learned of forms stays.
    pub(super) fn begin_crawl(&mut self) {
        self.crawl = self.crawl.saturating_add(1);
        self.evidence.classes.probes.begin_crawl();
        self.spent = Spent::default();
        self.earlier_audits = self.stats.audits;
        self.spend(|site| {
            (site.stats.spent, site.stats.distinct, site.proven) = (0.0, 0, 0.0);
        });
        (self.stats.fetched_in_crawl, self.stats.skipped_in_crawl) = (0, 0);
        self.pending.clear();
        self.fetches.clear();
        self.ends.clear();
        self.redirects = Redirects::default();
    }

    /// What became of the URLs so far.
    pub(super) fn stats(&self) -> SiteStats {
        let lost_share_bound = self.stats.audits.bound(self.options.audits);
        SiteStats { lost_share_bound, ..self.figures() }
    }

    /// The same but for the bound of the audits, which takes time.
    pub(super) fn figures(&self) -> SiteStats {
        SiteStats {
            crawl: self.crawl,
            pending: (self.fetches.len() + self.pending.len()) as u64 + self.redirects.len() as u64,
            switched_off: self.evidence.classes.switched_off() as u64,
            banned: self.ban.is_banned(),
            ..self.stats
        }
    }
}

fn fetched_before(url: &str) -> Decision {
    let (form, why) = (url.to_owned(), "fetched before".to_owned());
    Decision::Skip { form, why, fetched: 1, loss: 0.0 }
}
