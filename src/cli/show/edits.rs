//! The accepted and the refused edits of a model.

use std::cmp::Reverse;

use undust_edits::editor::{EditDescription, Editor, RefusalDescription};
use undust_model::translation::{StepEvidence, spelled_out};
use undust_util::plural::counted;

use crate::cli::table::{MOST_ROWS, listing, numbers, safe, safe_line, wrapped};

/// A model with this many refused candidates may have left out others.
const MOST_KEPT: usize = 200;

const LEGEND: &str = "\
#: the order in which edits are applied. saved: fetches. lost: pages.";

/// The accepted edits: the best as a table, or all with evidence and examples. Of the refused
/// ones, how many there are, or a table.
pub(super) fn text(editor: &Editor, pages: usize, all: bool) -> String {
    let (accepted, refusals) = (editor.describe(), editor.refusals());
    let accepted = accepted_text(&accepted, pages, all);
    let candidates = counted(refusals.len(), "candidate");
    match refusals.len() {
        0 => accepted,
        _ if all => format!("{accepted}\n\n{}", refused_table(&refusals)),
        1..MOST_KEPT => format!("{accepted}\n{candidates} refused; --all lists them"),
        count => {
            format!("{accepted}\n{count} or more candidates refused; --all lists {count}")
        }
    }
}

fn accepted_text(edits: &[EditDescription], pages: usize, all: bool) -> String {
    if edits.is_empty() {
        return "no edits: every URL stays as its site writes it".to_owned();
    }
    let saved = |edit: &EditDescription| edit.evidence.as_ref().and_then(|evidence| evidence.saved);
    let mut sorted: Vec<(usize, &EditDescription)> = (1..).zip(edits).collect();
    sorted.sort_by_key(|(number, edit)| (Reverse(saved(edit)), *number));
    let title = wrapped(&total(edits, pages));
    if all {
        let blocks = sorted.iter().map(|(number, edit)| format!("{number}. {edit}"));
        let blocks = blocks.map(|block| wrapped(&safe(&block)));
        return std::iter::once(title).chain(blocks).collect::<Vec<_>>().join("\n\n");
    }
    let more = match edits.len().saturating_sub(MOST_ROWS) {
        0 => "--all adds evidence and examples".to_owned(),
        more => format!("{more} more; --all lists all, with evidence and examples"),
    };
    let table = table(&sorted[..sorted.len().min(MOST_ROWS)]);
    [title, table, wrapped(LEGEND), wrapped(&more)].join("\n")
}

/// What all edits did to the training crawl.
fn total(edits: &[EditDescription], pages: usize) -> String {
    let evidence = || edits.iter().filter_map(|edit| edit.evidence.as_ref());
    let saved: i64 = evidence().filter_map(|one| one.saved).sum();
    let lost: usize = evidence().map(|one| one.lost).sum();
    format!(
        "{} accepted: {} saved and {} lost of {}",
        counted(edits.len(), "edit"),
        counted(saved, "fetch"),
        counted(lost, "page"),
        counted(pages, "page"),
    ) + &hypotheses(edits)
}

/// How many hold only on pages like those on which they were tested.
fn hypotheses(edits: &[EditDescription]) -> String {
    let details = edits.iter().filter_map(|edit| edit.details.as_ref());
    match details.filter(|details| details.is_restricted).count() {
        0 => String::new(),
        restricted => format!(
            "; {restricted} of them only on pages like those on which they were tested. Elsewhere they are \
             hypotheses; `undust translate --bold` extrapolates to them"
        ),
    }
}

fn table(edits: &[(usize, &EditDescription)]) -> String {
    let mut table = listing(["#", "edit", "where", "saved", "lost"]);
    for (number, edit) in edits {
        let details = edit.details.as_ref();
        let place = details.map_or_else(String::new, |details| match details.exceptions {
            0 => details.scope.to_string(),
            1 => format!("{}, one exception", details.scope),
            some => format!("{}, {some} exceptions", details.scope),
        });
        let evidence = edit.evidence.as_ref();
        let saved = evidence.and_then(|evidence| evidence.saved);
        table.add_row([
            number.to_string(),
            safe_line(&spelled_out(&edit.notation)),
            place,
            saved.map_or_else(String::new, |saved| saved.to_string()),
            evidence.map_or_else(String::new, |evidence| evidence.lost.to_string()),
        ]);
    }
    numbers(&mut table, [0, 3, 4]);
    table.to_string()
}

fn refused_table(refused: &[RefusalDescription]) -> String {
    let is_taken_back = refused.iter().any(|one| one.urls.is_none());
    let first = if is_taken_back { "those that were taken back, then " } else { "" };
    let mut table = listing(["edit", "where", "tested", "lost", "why"]);
    for RefusalDescription { notation, scope, evidence, why, .. } in refused {
        let StepEvidence { tested, lost, .. } = evidence;
        table.add_row([
            safe_line(&spelled_out(notation)),
            scope.to_string(),
            tested.to_string(),
            lost.to_string(),
            why.clone(),
        ]);
    }
    numbers(&mut table, 2..4);
    format!("refused edits, {first}those of most URLs first\n{table}")
}
