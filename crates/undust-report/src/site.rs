//! A site's part of the report, made from the results of an evaluation.

use std::cmp::Reverse;

use undust_edits::editor::RefusalDescription;
use undust_learn::evaluate::details::judged::{
    AcceptedDetails, ConventionDetails, JudgedDetails, LostPage,
};
use undust_learn::evaluate::details::{ClusterDetails, CurvePoint, MethodDetails, UnitDetails};
use undust_learn::evaluate::result::{Figures, MethodOutcome, MethodResult, SiteResult};
use undust_learn::training::hold_out::HoldOut;
use undust_model::report::LabelReport;
use undust_model::report::network::{NetworkReport, Stopped};
use undust_model::translation::spelled_out;
use undust_shapes::{Cause, PatternReport, ShapesReport, Suggestion};

use crate::report::{Parts, Site};
use crate::rows::{
    ClusterRow, ConventionRow, CurveRow, EditRow, LabelRow, Live, LostRow, MethodRow, NetworkRow,
    RefusedRow, ShapeRow,
};
use crate::text::kept;
use crate::titles::Titles;
use crate::verdict::{Verdict, wilson_bound};
use crate::words::words;

/// The parts of a crawl that a curve is of.
pub(crate) const HELD_OUT: &str = "held-out";
pub(crate) const WHOLE: &str = "whole";

impl Site {
    /// A site as it was evaluated. What its results have no details of is left out.
    pub fn of(result: &SiteResult, titles: &Titles) -> Self {
        let methods = result.methods.iter().map(|method| row(result, method)).collect();
        let mut site =
            Self { parts: Some(parts(result)), methods, ..Self::new(&result.site, &result.crawl) };
        if let Some(details) = &result.details {
            site.show_crawl(details, titles);
        }
        site.curve = curves(result);
        for method in &result.methods {
            let network = details(method).and_then(|details| details.network.as_ref());
            site.networks.extend(network.into_iter().flat_map(|one| checks(&method.name, one)));
        }
        if let Some((name, figures, details)) = judged(result) {
            site.verdict = site.method(name).map(|row| verdict(row, result, details));
            site.judge(figures, details, titles);
        }
        site
    }

    fn show_crawl(&mut self, details: &UnitDetails, titles: &Titles) {
        self.clusters = details.largest.iter().map(|one| cluster(one, titles)).collect();
        self.clusters_with_duplicates = details.with_duplicates;
    }

    fn judge(&mut self, figures: &Figures, details: &JudgedDetails, titles: &Titles) {
        let is_edits = figures.candidates.is_none();
        self.edits = edits(&details.accepted, is_edits);
        self.conventions = details.conventions.iter().map(convention).collect();
        self.rewritten_urls = details.rewritten_urls;
        self.refused = refused(&details.refused);
        let labels: Vec<LabelRow> = details.labels.iter().map(label).collect();
        self.labels = (!labels.is_empty()).then_some(labels);
        self.lost = details.lost.iter().map(|page| lost(page, titles)).collect();
    }

    /// Adds what the live engine did.
    pub fn add_live(&mut self, live: Live) {
        let last = [live.fetched, live.found];
        let points = live.curve.iter().map(|point| [point.fetches, point.found]);
        let points = points.filter(|[fetches, _]| *fetches < live.fetched).chain([last]);
        let curve = points.map(|[fetches, pages]| CurveRow {
            part: WHOLE.to_owned(),
            series: "live".to_owned(),
            fetches,
            pages,
        });
        if !self.curve.iter().any(|row| row.part == WHOLE) {
            self.curve.extend(ideal(WHOLE, live.pages));
        }
        self.curve.extend(curve);
        self.live = Some(live);
    }

    /// Adds a curve of the whole crawl.
    pub fn add_whole_curve(&mut self, series: &str, points: impl Iterator<Item = [usize; 2]>) {
        self.curve.extend(points.map(|[fetches, pages]| CurveRow {
            part: WHOLE.to_owned(),
            series: series.to_owned(),
            fetches,
            pages,
        }));
    }

    /// Says that labels were asked for, even if none was heard.
    pub fn expect_labels(&mut self) {
        self.labels.get_or_insert_default();
    }

    /// Adds the patterns of its URLs.
    pub fn add_shapes(&mut self, report: &ShapesReport) {
        self.has_shapes = true;
        self.shapes = report.growing().map(shape).collect();
    }
}

fn details(method: &MethodResult) -> Option<&MethodDetails> {
    method.figures()?.details.as_deref()
}

/// The method that is judged, with its figures and what is known of it alone.
fn judged(result: &SiteResult) -> Option<(&str, &Figures, &JudgedDetails)> {
    let judged = |method| details(method)?.judged.as_ref();
    result.methods.iter().find_map(|one| Some((&*one.name, one.figures()?, judged(one)?)))
}

fn verdict(row: &MethodRow, result: &SiteResult, details: &JudgedDetails) -> Verdict {
    let redundant = result.test_pages - result.test_clusters;
    Verdict::of(row, redundant, result.test_clusters, details.saved_share)
}

fn parts(result: &SiteResult) -> Parts {
    let hold_out = match result.hold_out {
        HoldOut::Time => "time",
        HoldOut::Folder => "folder",
        HoldOut::Shape => "shape",
    };
    Parts {
        hold_out: hold_out.to_owned(),
        split: result.split,
        train_urls: result.train_pages,
        train_pages: result.train_clusters,
        test_urls: result.test_pages,
        test_pages: result.test_clusters,
        unseen_urls: result.unseen_urls,
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

/// On the held-out pages each crawler, and one that knows beforehand what each URL shows; then on the whole crawl.
fn curves(result: &SiteResult) -> Vec<CurveRow> {
    let mut rows = Vec::new();
    for method in &result.methods {
        let points = details(method).map(|details| &*details.curve).unwrap_or_default();
        rows.extend(points.iter().map(|point| curve_row(HELD_OUT, &method.name, point)));
    }
    if !rows.is_empty() {
        rows.extend(ideal(HELD_OUT, result.test_clusters));
    }
    let Some(unit) = result.details.as_ref().filter(|_| result.hold_out == HoldOut::Time) else {
        return rows;
    };
    rows.extend(unit.whole_keep_all.iter().map(|point| curve_row(WHOLE, "keep-all", point)));
    if let Some((name, _, details)) = judged(result) {
        rows.extend(details.whole_curve.iter().map(|point| curve_row(WHOLE, name, point)));
    }
    rows.extend(ideal(WHOLE, unit.clusters));
    rows
}

fn curve_row(part: &str, series: &str, point: &CurvePoint) -> CurveRow {
    CurveRow {
        part: part.to_owned(),
        series: series.to_owned(),
        fetches: point.fetches,
        pages: point.found,
    }
}

/// A crawler that knows beforehand what each URL shows finds a page by each fetch.
fn ideal(part: &str, pages: usize) -> impl Iterator<Item = CurveRow> + use<'_> {
    [0, pages]
        .into_iter()
        .map(move |count| curve_row(part, "ideal", &CurvePoint { fetches: count, found: count }))
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

fn edits(accepted: &[AcceptedDetails], is_edits: bool) -> Vec<EditRow> {
    let mut rows: Vec<EditRow> =
        (1..).zip(accepted).map(|(number, one)| edit(number, one, is_edits)).collect();
    rows.sort_by_key(|row| (Reverse(row.saved), Reverse(row.held_out_urls), row.number));
    rows
}

fn edit(number: usize, one: &AcceptedDetails, is_edit: bool) -> EditRow {
    let AcceptedDetails { edit, held_out_urls } = one;
    let evidence = edit.evidence.as_ref();
    let known = edit.details.as_ref();
    EditRow {
        number,
        edit: kept(&spelled_out(&edit.notation)),
        words: words(&edit.notation).filter(|_| is_edit).map(|words| kept(&words)),
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
        words: words(&one.notation).map(|words| kept(&words)),
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

fn cluster(one: &ClusterDetails, titles: &Titles) -> ClusterRow {
    ClusterRow {
        title: titles.get(one.title),
        urls: one.urls,
        examples: one.examples.iter().map(|url| kept(url)).collect(),
    }
}

fn shape(one: &PatternReport) -> ShapeRow {
    let suggestion = one.suggestion.map(|suggestion| match suggestion {
        Suggestion::Canonical => "canonical",
        Suggestion::Train => "train",
        Suggestion::Budget => "budget",
    });
    ShapeRow {
        pattern: kept(&one.pattern),
        urls: one.urls,
        requests: one.requests,
        pages: one.pages.map(|pages| pages.distinct),
        needless: one.pages.map(|pages| pages.needless),
        new_urls: one.new_urls,
        new_pages: one.pages.map(|pages| pages.new),
        cause: cause(one).map(|cause| kept(&cause)),
        suggestion: suggestion.map(str::to_owned),
        examples: one.examples.iter().map(|url| kept(url)).collect(),
    }
}

fn cause(one: &PatternReport) -> Option<String> {
    match &one.shown_by {
        Some(first) if one.is_shown_elsewhere() => {
            Some(format!("{} show pages of {}", first.urls, first.pattern))
        }
        _ => one.cause.as_ref().map(cause_in_words),
    }
}

fn cause_in_words(Cause { argument, segment, values, urls_without, pages, .. }: &Cause) -> String {
    let name = match segment {
        Some(place) => format!("segment {place}, {argument}"),
        None => argument.clone(),
    };
    match pages {
        None => format!("{name}: {values} values, {urls_without} URLs without"),
        Some(pages) => {
            format!("{name}: {values} values; without {} saved, {} lost", pages.repeats, pages.lost)
        }
    }
}

fn checks<'r>(
    method: &'r str,
    network: &'r NetworkReport,
) -> impl Iterator<Item = NetworkRow> + 'r {
    let best = network.training.best.step;
    network.training.curve.iter().map(move |check| NetworkRow {
        method: method.to_owned(),
        step: check.step,
        loss: check.loss,
        checked_loss: check.held_out_loss,
        exact_match: check.exact_match,
        is_kept: check.step == best,
    })
}
