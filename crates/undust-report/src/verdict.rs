//! The verdict on a site in one sentence.

use crate::rows::{MethodRow, Verdict};
use crate::text::{counted, number, percent};

impl Verdict {
    /// The verdict on a method with these figures.
    pub(crate) fn of(row: &MethodRow, redundant: usize, pages: usize, interval: [f64; 2]) -> Self {
        let mut verdict = Self {
            method: row.method.clone(),
            redundant,
            saved: row.saved.unwrap_or(0),
            saved_share: row.saved_share.unwrap_or(0.0),
            saved_share_interval: interval,
            pages,
            lost: row.lost.unwrap_or(0),
            lost_share_bound: row.lost_share_bound.unwrap_or(0.0),
            sentence: String::new(),
        };
        verdict.sentence = verdict.in_words();
        verdict
    }

    fn in_words(&self) -> String {
        let pages = counted(self.pages, "distinct page");
        let bound = percent(self.lost_share_bound);
        let lost = match self.lost {
            0 => format!("and lost none of {pages} (at most {bound})"),
            lost => {
                let share = percent(lost as f64 / self.pages.max(1) as f64);
                format!("and lost {} of {pages} ({share}, at most {bound})", number(lost))
            }
        };
        if self.redundant == 0 {
            return format!(
                "No held-out URL showed a page again, so {} had nothing to save, {lost}.",
                self.method
            );
        }
        let [low, high] = self.saved_share_interval.map(|end| format!("{:.1}", 100.0 * end));
        let redundant = counted(self.redundant, "redundant fetch");
        match self.saved {
            0 => format!("{} would have saved none of {redundant}, {lost}.", self.method),
            saved => format!(
                "{} would have saved {} of {redundant} ({}, 95\u{202f}% interval {low} to {high}), {lost}.",
                self.method,
                number(saved),
                percent(self.saved_share)
            ),
        }
    }
}

/// The upper end of the 95 % interval of a share (Wilson, JASA 1927).
pub(crate) fn wilson_bound(part: usize, whole: usize) -> f64 {
    const Z: f64 = 1.959_964;
    if whole == 0 {
        return 0.0;
    }
    let (part, whole) = (part as f64, whole as f64);
    let share = part / whole;
    let middle = share + Z * Z / (2.0 * whole);
    let width = Z * (share * (1.0 - share) / whole + Z * Z / (4.0 * whole * whole)).sqrt();
    ((middle + width) / (1.0 + Z * Z / whole)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(saved: i64, redundant: usize, lost: usize) -> String {
        let row = MethodRow {
            method: "auto".into(),
            saved: Some(saved),
            saved_share: Some(saved as f64 / redundant.max(1) as f64),
            lost: Some(lost),
            lost_share_bound: Some(wilson_bound(lost, 270)),
            ..MethodRow::default()
        };
        Verdict::of(&row, redundant, 270, [0.41, 0.5]).sentence.replace('\u{202f}', " ")
    }

    #[test]
    fn it_is_a_sentence() {
        assert_eq!(
            verdict(386, 852, 0),
            "auto would have saved 386 of 852 redundant fetches (45.3 %, 95 % interval 41.0 to 50.0), and lost none \
             of 270 distinct pages (at most 1.4 %)."
        );
        assert_eq!(
            verdict(1, 1, 3),
            "auto would have saved 1 of 1 redundant fetch (100.0 %, 95 % interval 41.0 to 50.0), and lost 3 of 270 \
             distinct pages (1.1 %, at most 3.2 %)."
        );
        assert!(
            verdict(0, 5, 0)
                .starts_with("auto would have saved none of 5 redundant fetches, and lost none")
        );
        assert!(
            verdict(0, 0, 0)
                .starts_with("No held-out URL showed a page again, so auto had nothing to save")
        );
    }

    /// Of the table in Newcombe, Statistics in Medicine 1998.
    #[test]
    fn the_bound_is_that_of_wilson() {
        let is = |bound: f64, expected: f64| assert!((bound - expected).abs() < 5e-5, "{bound}");
        is(wilson_bound(81, 263), 0.3662);
        is(wilson_bound(15, 148), 0.1605);
        is(wilson_bound(0, 20), 0.1611);
        is(wilson_bound(1, 29), 0.1718);
        is(wilson_bound(0, 0), 0.0);
        is(wilson_bound(9, 9), 1.0);
    }
}
