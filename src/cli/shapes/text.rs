//! The report on patterns for people: one screen, the worst first.

use undust_pages::agent::AgentClass;
use undust_shapes::{Cause, ModelForms, PatternReport, ShapesReport, Suggestion};
use undust_util::plural::counted;

use crate::cli::table::{MOST_ROWS, line, safe_line, wrapped};

/// Classes of programs that the first sentence names.
const CLASSES: usize = 3;

/// The report.
pub(super) fn text(report: &ShapesReport, all: bool) -> String {
    let shown: Vec<&PatternReport> = report.growing().filter(|one| all || is_shown(one)).collect();
    let most = if all { shown.len() } else { MOST_ROWS };
    let mut text = format!("{}\n", wrapped(&summary(report)));
    if shown.is_empty() {
        return text + &wrapped(nothing(report));
    }
    text += &format!("\n{}\n", table(report, &shown[..most.min(shown.len())], all));
    if shown.len() > most {
        text += &format!("{} more: --all\n", counted(shown.len() - most, "pattern"));
    }
    text + &wrapped(legend(report))
}

/// Whether a pattern is worth a line: of a crawl, if it has needless URLs.
fn is_shown(pattern: &PatternReport) -> bool {
    pattern.pages.is_none_or(|pages| pages.needless > 0)
}

fn nothing(report: &ShapesReport) -> &'static str {
    if report.pages.is_some() {
        "No pattern grows without new pages: no URL showed a page that another had shown."
    } else {
        "No pattern can grow: each has one URL."
    }
}

fn summary(report: &ShapesReport) -> String {
    let mut text = counted(report.requests, "request") + " for ";
    text += &match report.one_in {
        1 => counted(report.urls, "URL"),
        one_in => format!("about {} URLs (counted: one of {one_in})", report.urls),
    };
    if let Some([first, last]) = &report.times {
        text += &format!(", {} to {}", day(first), day(last));
    }
    if let Some(pages) = &report.pages {
        text += &format!(
            "; {} compared show {}, and {} nothing new.",
            counted(pages.compared, "URL"),
            counted(pages.distinct, "page"),
            pages.needless
        );
        return text;
    }
    text += &match report.bots {
        Some(bots) => format!("; {} by robots that say so{}.", percent(bots), classes(report)),
        None => ".".to_owned(),
    };
    text + " Which URLs show the same page is not known: there is no content."
}

/// The most frequent classes of robots with their shares.
fn classes(report: &ShapesReport) -> String {
    let all = report.agents.iter().flatten().filter(|(class, _)| class.is_bot());
    let mut all: Vec<(&AgentClass, &u64)> = all.collect();
    all.sort_by_key(|(_, requests)| std::cmp::Reverse(**requests));
    let shares = all.iter().take(CLASSES).map(|(class, requests)| {
        format!("{} {}", class.name(), percent(**requests as f64 / report.requests.max(1) as f64))
    });
    let shares = shares.collect::<Vec<_>>().join(", ");
    if shares.is_empty() { shares } else { format!(" ({shares})") }
}

fn legend(report: &ShapesReport) -> &'static str {
    if report.pages.is_some() {
        "new: URLs, and pages, that were new in the last quarter; needless: URLs whose page an earlier one \
         showed; canonical: a model may make one URL of these, `undust train` tests it; budget: a limit on \
         requests by --format nginx or robots, a policy that does not say that pages are equal."
    } else if report.patterns.iter().all(|one| one.cause.is_none()) {
        "new: URLs that were new in the last quarter. Nothing grows without an end that people do not come back to, so \
         no limit is suggested."
    } else {
        "new: URLs that were new in the last quarter; budget: new URLs go on without an end, and nobody comes back to \
         them, so a limit is suggested by --format nginx, robots and others, a policy that does not say that pages are \
         equal."
    }
}

/// Columns of numbers with their headings; then the pattern, and below it why it grows and what can be done.
fn table(report: &ShapesReport, shown: &[&PatternReport], all: bool) -> String {
    let mut headings = match report.pages {
        Some(_) => vec!["URLs", "pages", "needless", "new"],
        None => vec!["URLs", "new", "requests", "robots"],
    };
    if report.pages.is_none() && shown.iter().any(|one| one.bytes.is_some()) {
        headings.push("MB");
    }
    if report.pages.is_none() && shown.iter().any(|one| one.seconds.is_some()) {
        headings.push("seconds");
    }
    let rows: Vec<Vec<String>> = shown.iter().map(|one| row(one)).collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| Some(row.get(column)?.len()));
        cells.chain([headings[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let in_columns = |cells: Vec<&str>| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        padded.collect::<Vec<_>>().join("  ")
    };
    let mut text = in_columns(headings.clone()) + "  pattern\n";
    for (one, row) in shown.iter().zip(&rows) {
        let numbers = in_columns(row.iter().map(String::as_str).collect());
        text += &line(&format!("{numbers}  {}", safe_line(&one.pattern)));
        text.push('\n');
        for below in below(one, report.urls, all) {
            text += &format!("{}\n", wrapped(&format!("{INDENT}{below}")));
        }
    }
    text
}

/// What stands below a pattern begins here.
const INDENT: &str = "        ";

fn row(one: &PatternReport) -> Vec<String> {
    let urls = one.urls.to_string();
    match one.pages {
        Some(pages) => {
            let new = format!("{}/{}", one.new_urls, pages.new);
            vec![urls, pages.distinct.to_string(), pages.needless.to_string(), new]
        }
        None => {
            let new = percent(one.new_urls as f64 / one.urls.max(1) as f64);
            let robots = one.bots.map_or_else(|| "?".to_owned(), percent);
            let megabytes = one.bytes.map(|bytes| format!("{:.1}", bytes as f64 / 1e6));
            let cells = [urls, new, one.requests.to_string(), robots];
            let seconds = one.seconds.map(|seconds| format!("{seconds:.1}"));
            cells.into_iter().chain(megabytes).chain(seconds).collect()
        }
    }
}

fn below(one: &PatternReport, urls: u64, all: bool) -> Vec<String> {
    let examples = one.examples.iter().filter(|_| all);
    let lines = advice(one).into_iter().chain(met(one, urls));
    lines.chain(examples.map(|url| format!("e.g. {}", safe_line(url)))).collect()
}

/// Whom a rule would have met, of so many URLs in all; or why there is none.
fn met(one: &PatternReport, urls: u64) -> Option<String> {
    if one.suggestion != Some(Suggestion::Budget) {
        return None;
    }
    let Some(policy) = &one.policy else { return Some(no_rule(one)) };
    let met = policy.met;
    let mut text = format!("a rule would have met {}", counted(met.requests, "request"));
    if one.people.is_some() {
        text += &format!(
            ": {} by browsers, of which {} came back to a URL",
            met.browsers, met.returned
        );
    }
    text += &match urls.saturating_sub(one.urls) {
        0 => String::new(),
        others => format!(
            "; and {} of {} ({:.1} %)",
            met.other_urls,
            counted(others, "other URL"),
            100.0 * met.other_urls as f64 / others as f64
        ),
    };
    if policy.robots.is_empty() {
        text += "; no line of robots.txt is narrow enough";
    }
    Some(text)
}

/// Why a budget has no rule, and what can be done instead.
fn no_rule(one: &PatternReport) -> String {
    let why = match one.people {
        Some(people) if people.returned > 0 => {
            "people come back to some of these URLs, and a rule would close those, too"
        }
        _ => "a rule would close too many other URLs",
    };
    format!(
        "no rule: {why}. A challenge, such as Anubis, lets people pass; rel=nofollow on the links keeps honest robots \
         from walking on"
    )
}

fn advice(one: &PatternReport) -> Option<String> {
    let why = why(one);
    let what = match (one.suggestion, &one.model) {
        (Some(Suggestion::Canonical), Some(model)) => return Some(canonical(one, model)),
        (Some(Suggestion::Train), _) => "→ canonical",
        (Some(Suggestion::Budget), _) => "→ budget",
        _ => return why,
    };
    Some(why.map_or_else(|| what.to_owned(), |why| format!("{why} {what}")))
}

/// Why a pattern grows, or where its pages were seen before.
fn why(one: &PatternReport) -> Option<String> {
    match (&one.shown_by, &one.cause) {
        (Some(first), _) if one.is_shown_elsewhere() => {
            Some(format!("{} show pages of {}", first.urls, safe_line(&first.pattern)))
        }
        (_, cause) => cause.as_ref().map(described_cause),
    }
}

fn canonical(one: &PatternReport, model: &ModelForms) -> String {
    let mut text =
        format!("→ canonical: the model makes {} of {}", counted(model.forms, "form"), one.urls);
    if let Some(edit) = model.edits.first() {
        text += &format!(", by {}", safe_line(&edit.edit));
        if let (Some(tested), Some(lost)) = (edit.tested, edit.lost) {
            text += &format!(" (tested on {}, lost {lost})", counted(tested, "URL"));
        }
    }
    text
}

fn described_cause(cause: &Cause) -> String {
    let name = match cause.segment {
        Some(place) => format!("segment {place}, {}", cause.argument),
        None => safe_line(&cause.argument),
    };
    let values = counted(cause.values, "value");
    match cause.pages {
        None => format!("{name}: {values}; {} without", counted(cause.urls_without, "URL")),
        Some(pages) => format!(
            "{name}: {values}; without {} saved, {} lost",
            counted(pages.repeats, "fetch"),
            counted(pages.lost, "page")
        ),
    }
}

/// A time without its clock.
fn day(time: &str) -> String {
    safe_line(time.get(..10).unwrap_or(time))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
