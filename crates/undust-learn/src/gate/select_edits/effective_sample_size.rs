//! How many observations the URLs are that an edit is tested on.
//!
//! URLs that end at one form show together whether it is of one page: fifty commits whose logs have the same
//! history of one file are evidence for that file, and none for the next. So where the next wider scope has
//! forms that fail, URLs of one form are one observation, as in a sample of whole clusters whose members
//! are alike (Kish, Survey Sampling, 1965, chapter 5). Where nothing fails there, each URL is one.

use crate::gate::forms::{Move, MoveResult};

/// Where all URLs end at one form, as at a log-in wall, the next URL may end there as well: then so many URLs
/// count as one observation.
const OF_ONE_FORM: u32 = 3;

/// How many forms tested URLs get.
pub(super) fn new_forms(moves: &[Move], tags: &[MoveResult]) -> u32 {
    let tested = moves.iter().zip(tags).filter(|(_, tag)| tag.tested);
    // Moves are in the order of the forms.
    let mut last = None;
    tested.filter(|(one, _)| last.replace(one.to) != Some(one.to)).count() as u32
}

/// Pages that witness: each page once, but each form of a URL that names its page.
pub(super) fn witnesses(moves: &[Move], tags: &[MoveResult]) -> u32 {
    let tested = || moves.iter().zip(tags).filter(|(_, tag)| tag.tested).map(|(one, _)| one);
    let mut pages: Vec<u32> = tested().filter(|one| !one.is_named).map(|one| one.cluster).collect();
    pages.sort_unstable();
    pages.dedup();
    let mut named: Vec<(u64, u64)> = tested().filter(|one| one.is_named).map(|one| (one.to, one.from)).collect();
    named.dedup();
    (pages.len() + named.len()) as u32
}

/// How many observations the tested URLs are worth if they get so many forms. `fails` is whether anything
/// goes wrong in the next wider scope.
pub(super) fn effective_sample_size(tested: u32, new_forms: u32, fails: bool) -> u32 {
    match new_forms {
        _ if !fails => tested,
        1 => tested / OF_ONE_FORM,
        forms => forms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// URLs, each given as the form that it gets, and whether it is tested.
    fn forms_of(urls: &[(u64, bool)]) -> u32 {
        let moves = urls.iter().map(|(to, _)| Move { to: *to, from: 0, cluster: 0, tag: 0, is_named: false });
        let tags =
            urls.iter().map(|(_, tested)| MoveResult { tested: *tested, ..MoveResult::default() });
        new_forms(&moves.collect::<Vec<_>>(), &tags.collect::<Vec<_>>())
    }

    #[test]
    fn forms_of_tested_urls_are_counted_once() {
        assert_eq!(forms_of(&[(1, true), (1, true), (2, false), (3, false), (3, true)]), 2);
        assert_eq!(forms_of(&[]), 0);
    }

    #[test]
    fn urls_of_one_form_are_one_observation_where_forms_fail_in_the_wider_scope() {
        assert_eq!(effective_sample_size(40, 8, true), 8);
        assert_eq!(effective_sample_size(40, 8, false), 40);
        assert_eq!(effective_sample_size(40, 1, false), 40);
        assert_eq!(effective_sample_size(40, 1, true), 13);
        assert_eq!(effective_sample_size(0, 0, true), 0);
    }
}
