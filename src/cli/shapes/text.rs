//! The report on patterns for people: one screen, the worst first.

use undust_pages::agent::AgentClass;
use undust_shapes::{Cause, ModelForms, PatternReport, ShapesReport, Suggestion};
use undust_util::plural::counted;

use crate::cli::table::{MOST_ROWS, listing, numbers, safe_line, word, wrapped};

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
        "new: URLs and pages that were new in the last quarter of the crawl; needless: URLs whose page an \
         earlier one showed."
    } else {
        "new: URLs that were new in the last quarter. A request budget is a policy: it does not say that pages are \
         equal."
    }
}

fn table(report: &ShapesReport, shown: &[&PatternReport], all: bool) -> String {
    match report.pages {
        Some(_) => pages_table(shown, all),
        None => requests_table(shown, all, report.bots.is_some()),
    }
}

fn pages_table(shown: &[&PatternReport], all: bool) -> String {
    let mut table = listing(["URLs", "pages", "needless", "new", "pattern"]);
    for one in shown {
        let pages = one.pages.unwrap_or_default();
        table.add_row([
            one.urls.to_string(),
            pages.distinct.to_string(),
            pages.needless.to_string(),
            format!("{}/{}", one.new_urls, pages.new),
            described(one, all),
        ]);
    }
    numbers(&mut table, 0..4);
    table.to_string()
}

fn requests_table(shown: &[&PatternReport], all: bool, has_agents: bool) -> String {
    let mut table = listing(["URLs", "new", "requests", "bots", "pattern"]);
    for one in shown {
        let bots =
            if has_agents { one.bots.map_or_else(String::new, percent) } else { "–".into() };
        table.add_row([
            one.urls.to_string(),
            percent(one.new_urls as f64 / one.urls.max(1) as f64),
            one.requests.to_string(),
            bots,
            described(one, all),
        ]);
    }
    numbers(&mut table, 0..4);
    table.to_string()
}

/// The pattern, why it grows and what can be done, a line each.
fn described(one: &PatternReport, all: bool) -> String {
    let mut lines = vec![word(&safe_line(&one.pattern))];
    lines.extend(advice(one));
    if all {
        lines.extend(one.examples.iter().map(|url| format!("e.g. {}", word(&safe_line(url)))));
    }
    lines.join("\n")
}

fn advice(one: &PatternReport) -> Option<String> {
    let cause = one.cause.as_ref().map(described_cause);
    match (one.suggestion, &one.model) {
        (Some(Suggestion::Canonical), Some(model)) => Some(canonical(one, model)),
        (Some(Suggestion::Train), _) => {
            cause.map(|cause| format!("{cause} → canonical: `undust train` tests it"))
        }
        (Some(Suggestion::Budget), _) => {
            let cause = cause.map(|cause| cause + " ").unwrap_or_default();
            Some(format!("{cause}→ policy: a request budget"))
        }
        _ => cause,
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
        None => format!("{name}: {values}; {} without it", counted(cause.urls_without, "URL")),
        Some(pages) => format!(
            "{name}: {values}; without it {} saved, {} lost",
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
