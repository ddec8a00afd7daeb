//! Edits gathered by the part of URLs that they leave out or write anew, whatever the place where each holds.

use std::cmp::Reverse;

use crate::duplicates::difference::difference;
use crate::rows::{EditRow, FamilyRow};

/// The part of URLs that an edit with this notation changes. Where the notation does not say it, the example does: a
/// URL with its canonical URL.
pub(crate) fn family(notation: &str, example: Option<&[String; 2]>) -> String {
    let own = notation.strip_prefix("network: ").unwrap_or(notation);
    if let Some(names) = own.split(" and ").map(dropped).collect::<Option<Vec<&str>>>() {
        return format!("argument {}", names.join(", "));
    }
    if own == "drop the path" {
        return "path".to_owned();
    }
    if let Some(piece) = own.strip_prefix("path piece ").and_then(|rest| rest.strip_suffix(" → *"))
    {
        return format!("part {piece} of the path");
    }
    match example {
        Some([from, to]) if from != to => difference(from, to).name(),
        _ => own.to_owned(),
    }
}

/// The name of an argument that is left out or cut.
fn dropped(notation: &str) -> Option<&str> {
    let argument = match notation.strip_prefix("cut ?") {
        Some(cut) => cut.split_once(" after its first ")?.0,
        None => notation.strip_prefix("drop ?")?,
    };
    Some(argument.split_once('=').map_or(argument, |(name, _)| name))
}

/// The families of edits, the one that saves most first. The example is that of its best edit.
pub(crate) fn families(edits: &[EditRow]) -> Vec<FamilyRow> {
    let mut rows: Vec<FamilyRow> = Vec::new();
    for edit in edits {
        let known = rows.iter().position(|row| row.family == edit.family);
        let at = known.unwrap_or_else(|| {
            let (from, to) = edit.examples.first().cloned().map(|[from, to]| (from, to)).unzip();
            rows.push(FamilyRow { family: edit.family.clone(), from, to, ..FamilyRow::default() });
            rows.len() - 1
        });
        let row = &mut rows[at];
        row.edits += 1;
        row.tested += edit.tested;
        row.saved += edit.saved.unwrap_or(0);
        row.lost += edit.lost;
        row.held_out_urls += edit.held_out_urls;
    }
    rows.sort_by_key(|row| (Reverse(row.saved), Reverse(row.held_out_urls)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_of_one_argument_are_a_family_wherever_they_hold() {
        let example = ["http://a.test/x/?utm_source=a".to_owned(), "http://a.test/x/".to_owned()];
        for (notation, expected) in [
            ("drop ?next", "argument next"),
            ("drop ?page=1", "argument page"),
            ("drop ?a and drop ?b", "argument a, b"),
            ("cut ?h after its first 2 words", "argument h"),
            ("network: drop ?a", "argument a"),
            ("path piece 3 → *", "part 3 of the path"),
            ("drop the path", "path"),
            ("<word>/? → $1?", "argument utm_source"),
        ] {
            assert_eq!(family(notation, Some(&example)), expected);
        }
        assert_eq!(family("/print → ", None), "/print → ");
        let edit = |family: &str, saved, example: &str| EditRow {
            family: family.into(),
            saved: Some(saved),
            lost: 1,
            examples: vec![[example.to_owned(), "to".into()]],
            ..EditRow::default()
        };
        let edits = [edit("a", 5, "1"), edit("b", 9, "2"), edit("a", 6, "3")];
        let rows = families(&edits);
        let families: Vec<_> =
            rows.iter().map(|row| (&*row.family, row.edits, row.saved, row.lost)).collect();
        assert_eq!(families, [("a", 2, 11, 2), ("b", 1, 9, 1)]);
        assert_eq!(rows[0].from.as_deref(), Some("1"));
    }
}
