//! A site's part of the report, made from the results of an evaluation.

use std::cmp::Reverse;

use undust_edits::editor::RefusalDescription;
use undust_learn::evaluate::details::{
    AcceptedDetails, ConventionDetails, JudgedDetails, LostPage,
};
use undust_learn::evaluate::result::{Figures, MethodOutcome, MethodResult, SiteResult};
use undust_learn::report::LabelReport;
use undust_learn::report::network::Stopped;
use undust_model::translation::spelled_out;

use crate::families::{families, family};
use crate::report::Site;
use crate::rows::{
    ConventionRow, EditRow, LabelRow, LostRow, MethodRow, Parts, RefusedRow, Verdict,
};
use crate::text::kept;
use crate::titles::Titles;
use crate::verdict::wilson_bound;

impl Site {
    /// The same with the results of an evaluation.
    pub fn with_result(self, result: &SiteResult, titles: &Titles) -> Self {
        let mut site = Self {
            name: result.site.clone(),
            crawl: result.crawl.clone(),
            parts: Some(parts(result)),
            methods: result.methods.iter().map(|method| row(result, method)).collect(),
            ..self
        };
        if let Some((name, details)) = judged(result) {
            let (redundant, pages) =
                (result.test_pages - result.test_clusters, result.test_clusters);
            let verdict = |row| Verdict::of(row, redundant, pages, details.saved_share);
            site.verdict = site.method(name).map(verdict);
            site.judge(details, titles);
        }
        site
    }

    fn judge(&mut self, details: &JudgedDetails, titles: &Titles) {
        self.edits = edits(&details.accepted);
        self.families = families(&self.edits);
        self.conventions = details.conventions.iter().map(convention).collect();
        self.rewritten_urls = details.rewritten_urls;
        self.refused = refused(&details.refused);
        let labels: Vec<LabelRow> = details.labels.iter().map(label).collect();
        self.labels = (!labels.is_empty()).then_some(labels);
        self.lost = details.lost.iter().map(|page| lost(page, titles)).collect();
    }

    /// Says that labels were asked for, even if none was heard.
    pub fn expect_labels(&mut self) {
        self.labels.get_or_insert_default();
    }
}

/// The method that is judged, with what is known of it alone.
fn judged(result: &SiteResult) -> Option<(&str, &JudgedDetails)> {
    let mut methods = result.methods.iter();
    methods.find_map(|one| Some((&*one.name, one.figures()?.details.as_deref()?)))
}

fn parts(result: &SiteResult) -> Parts {
    Parts {
        hold_out: result.hold_out,
        split: result.split,
        train_urls: result.train_pages,
        train_pages: result.train_clusters,
        test_urls: result.test_pages,
        test_pages: result.test_clusters,
        unseen_urls: result.unseen_urls,
        judged_by_truth: result.judged.map_or(0, |rule| rule.judged_by_truth),
    }
}

fn row(result: &SiteResult, method: &MethodResult) -> MethodRow {
    let method_name = method.name.clone();
    let figures = match &method.outcome {
        MethodOutcome::Failed { error } => {
            let note = Some(kept(error));
            return MethodRow { method: method_name, note, ..MethodRow::default() };
        }
        MethodOutcome::Evaluated(figures) => figures,
    };
    let needless = result.test_pages - result.test_clusters;
    let saved = needless as i64 - figures.redundant as i64;
    MethodRow {
        method: method_name,
        fetched: Some(figures.crawled),
        found: Some(figures.covered),
        redundant: Some(figures.redundant),
        saved: Some(saved),
        saved_share: Some(share(saved as f64, needless)),
        lost: Some(figures.lost),
        lost_share: Some(share(figures.lost as f64, result.test_clusters)),
        lost_share_bound: Some(wilson_bound(figures.lost, result.test_clusters)),
        precision: Some(figures.precision),
        recall: Some(figures.recall),
        f1: Some(figures.f1),
        f1_low: Some(figures.intervals.f1[0]),
        f1_high: Some(figures.intervals.f1[1]),
        note: note(figures),
    }
}

fn share(part: f64, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}

fn note(figures: &Figures) -> Option<String> {
    let stopped = figures.network.map(|network| network.stopped) == Some(Stopped::Interrupted);
    let nothing = figures.learned_nothing.then_some("nothing was learned");
    let stopped = stopped.then_some("training was interrupted");
    let own = figures.notes.iter().map(|note| note.trim_end_matches('.'));
    let notes = own.chain(nothing).chain(stopped);
    let notes = notes.collect::<Vec<_>>().join("; ");
    (!notes.is_empty()).then(|| kept(&notes))
}

fn label(said: &LabelReport) -> LabelRow {
    LabelRow {
        source: said.source.to_string(),
        says: said.says.clone(),
        pages: said.seen,
        wrong: said.wrong,
        wrong_share: share(said.wrong as f64, said.seen),
        effect: said.effect(),
    }
}

fn edits(accepted: &[AcceptedDetails]) -> Vec<EditRow> {
    let mut rows: Vec<EditRow> =
        (1..).zip(accepted).map(|(number, one)| edit(number, one)).collect();
    rows.sort_by_key(|row| (Reverse(row.saved), Reverse(row.held_out_urls), row.number));
    rows
}

fn edit(number: usize, one: &AcceptedDetails) -> EditRow {
    let AcceptedDetails { edit, held_out_urls } = one;
    let evidence = edit.evidence.as_ref();
    let known = edit.details.as_ref();
    EditRow {
        number,
        edit: kept(&spelled_out(&edit.notation)),
        family: kept(&family(&edit.notation, known.and_then(|known| known.examples.first()))),
        place: known.map_or_else(String::new, |known| kept(&known.scope)),
        is_restricted: known.is_some_and(|known| known.is_restricted),
        exceptions: known.map_or(0, |known| known.exceptions),
        tested: evidence.map_or(0, |evidence| evidence.tested),
        pages: evidence.and_then(|evidence| evidence.pages),
        saved: evidence.and_then(|evidence| evidence.saved),
        lost: evidence.map_or(0, |evidence| evidence.lost),
        bound: evidence.map(|evidence| evidence.bound),
        held_out_urls: *held_out_urls,
        examples: known.map_or_else(Vec::new, |known| {
            known.examples.iter().map(|pair| pair.each_ref().map(|url| kept(url))).collect()
        }),
    }
}

fn convention(one: &ConventionDetails) -> ConventionRow {
    ConventionRow { convention: kept(&one.notation), held_out_urls: one.held_out_urls }
}

fn refused(all: &[RefusalDescription]) -> Vec<RefusedRow> {
    let mut rows: Vec<RefusedRow> = all.iter().map(refusal).collect();
    rows.sort_by_key(|row| (Reverse(row.saved), Reverse(row.tested)));
    rows
}

fn refusal(one: &RefusalDescription) -> RefusedRow {
    RefusedRow {
        edit: kept(&spelled_out(&one.notation)),
        place: kept(&one.scope),
        urls: one.urls,
        tested: one.evidence.tested,
        saved: one.evidence.saved,
        lost: one.evidence.lost,
        bound: one.evidence.bound,
        why: one.why.clone(),
    }
}

fn lost(page: &LostPage, titles: &Titles) -> LostRow {
    LostRow {
        title: titles.get(page.title),
        url: kept(&page.url),
        urls: page.urls,
        canonical: kept(&page.canonical),
        instead: kept(&page.instead),
        instead_title: titles.get(page.instead_title),
        by: kept(&page.by.iter().map(|step| spelled_out(step)).collect::<Vec<_>>().join("; ")),
    }
}
