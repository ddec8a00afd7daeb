//! What rules cost their consumers.

use fancy_regex::{Regex, RegexBuilder};

use super::generated::all_rules_of_many;

/// For each turn of a repeated group Java calls itself.
#[test]
fn no_group_is_repeated_without_a_small_bound() {
    for line in all_rules_of_many() {
        // The bound, and classes of characters that have a bracket.
        let text = line.replace("){30}", ")").replace("'()*+", "");
        for repeated in [")*", ")+", "){"] {
            assert!(!text.contains(repeated), "{line}");
        }
    }
}

/// Addresses on which a regex may turn back often.
fn addresses(length: usize) -> Vec<String> {
    [
        "/1", "/a", "a", "-", "-1", "%C3", "&a=1", "&page=", "?", "=", "/index", "1/20/", "info/",
        ".", "~:",
    ]
    .iter()
    .flat_map(|text| {
        let repeated = text.repeat(length / text.len());
        [format!("/{repeated}"), format!("/mediawiki/index.php?title={repeated}&returnto=1")]
    })
    .collect()
}

/// The steps back that a regex takes on an address, up to a power of two.
fn steps(regex: &str, address: &str) -> usize {
    let is_enough = |limit: &usize| {
        let regex: Regex =
            RegexBuilder::new(regex).backtrack_limit(*limit).build().expect("a regex");
        regex.is_match(address).is_ok()
    };
    (4..40).map(|power| 1_usize << power).find(is_enough).expect("an end")
}

/// Without the bound of the length, which would hide it. A square would be sixteen times as many.
#[test]
fn four_times_the_length_takes_no_more_than_some_four_times_the_steps() {
    let lines = all_rules_of_many();
    for line in lines.iter().step_by(lines.len().div_ceil(15)) {
        let at = line.find("$)").expect("the length") + 2;
        let line = format!("^{}", &line[at..]);
        for (short, long) in addresses(500).iter().zip(&addresses(2_000)) {
            let (few, many) = (steps(&line, short), steps(&line, long));
            assert!(many <= 8 * few.max(512), "{few} and {many} steps: {line} on {short}");
        }
    }
}
