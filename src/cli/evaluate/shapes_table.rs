//! What each method did on URLs of seen and of unseen shapes, as a small table.

use comfy_table::Table;

use undust_learn::evaluate::by_shape::ShapeFigures;
use undust_learn::evaluate::result::{Figures, MethodResult, SiteResult};

use super::table::new_table;

/// The headings of either kind; the columns are as wide as these.
const HEADINGS: [&str; 3] = [" lost", "redundant", "    F1"];

/// How many URLs to test on have an unseen shape, and what each method did on these and on the
/// others. Where all URLs are of one kind, the other tables say it already.
pub(super) fn shapes_table(result: &SiteResult) -> String {
    let SiteResult { unseen_urls: unseen, test_pages: all, .. } = result;
    let percent = 100.0 * *unseen as f64 / (*all).max(1) as f64;
    let share = format!("URLs tested whose shape is unseen: {unseen} of {all} ({percent:.1} %)");
    match *unseen {
        0 => share,
        unseen if unseen == *all => share,
        _ => format!("{share}\n{}", by_kind(&result.methods)),
    }
}

fn by_kind(methods: &[MethodResult]) -> Table {
    let mut table = new_table();
    let headings = in_columns(HEADINGS.map(str::to_owned));
    let width = headings.chars().count();
    let heading = |kind: &str| format!("{kind:^width$}\n{headings}");
    table.set_header(["\nmethod".to_owned(), heading("seen shapes"), heading("unseen shapes")]);
    for method in methods {
        let [seen, unseen] = match method.figures() {
            Some(Figures { by_shape, .. }) => [by_shape.seen, by_shape.unseen].map(cell),
            None => ["–", "–"].map(|none| format!("{none:^width$}")),
        };
        table.add_row([method.name.clone(), seen, unseen]);
    }
    table
}

fn cell(figures: ShapeFigures) -> String {
    let ShapeFigures { lost, redundant, f1, .. } = figures;
    in_columns([lost.to_string(), redundant.to_string(), format!("{f1:.4}")])
}

fn in_columns(cells: [String; 3]) -> String {
    let padded = HEADINGS.iter().zip(cells);
    let padded = padded.map(|(heading, cell)| format!("{cell:>width$}", width = heading.len()));
    padded.collect::<Vec<_>>().join(" ")
}
