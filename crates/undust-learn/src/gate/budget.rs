//! The edits that the gate tests within the [budget](crate::budget): every pair of URLs of
//! a page may suggest edits, and each may change most URLs.

use undust_edits::program::{MOST_PIECES, Program};
use undust_util::op_counter;

use crate::budget::{CHANGE, Cost, Looks, WORK_PER_URL, prune_costly};

use super::propose::Proposals;
use super::rows::Rows;

/// Tries the edits on all shapes, whose programs these are, in random order. After each doubling, the differences with the
/// fewest suggesting pairs for their work are dropped, until the others can be afforded. Deletions of slots stay: a URL
/// has no more of them than pieces.
pub(crate) fn drop_costly(proposals: &mut Proposals, rows: &Rows, programs: &[Program]) {
    let mut works = vec![0; proposals.len()];
    let (mut looks, mut urls) = (Looks::at(rows.shapes.len()), 0);
    while let Some(look) = looks.next() {
        for place in look {
            let (row, program) = (&rows.shapes[*place as usize], &programs[*place as usize]);
            urls += row.urls.len();
            if program.len() > MOST_PIECES {
                continue;
            }
            let found = proposals.of(program);
            op_counter::count(found.len());
            for edit in found.into_iter().filter(|edit| proposals.suggested(*edit).is_some()) {
                let changes = proposals.edit(edit).apply(program).is_some();
                works[edit as usize] += if changes { CHANGE * row.urls.len() } else { 1 };
            }
        }
        drop_until(proposals, &mut works, WORK_PER_URL * urls);
    }
}

/// Drops differences until the work for all that are left is affordable.
fn drop_until(proposals: &mut Proposals, works: &mut [usize], affordable: usize) {
    let cost = |(number, work): (u32, &usize)| Cost {
        gain: proposals.suggested(number).map_or(f64::INFINITY, f64::from),
        work: *work as f64,
    };
    let costs: Vec<Cost> = (0..).zip(&*works).map(cost).collect();
    let is_kept = prune_costly(&costs, affordable as f64);
    works.iter_mut().zip(&is_kept).filter(|(_, kept)| !**kept).for_each(|(work, _)| *work = 0);
    if is_kept.contains(&false) {
        proposals.retain(|number| is_kept[number as usize]);
    }
}

#[cfg(test)]
mod tests {
    use undust_edits::edit::Edit;
    use undust_edits::literals::Literals;
    use undust_url::lexicon::{FrequencyThresholds, Lexicon};

    use super::*;
    use crate::gate::rows::Texts;

    /// Nine edits that change every URL, of which the first is suggested by 30 pairs, the second by 29.
    #[test]
    fn differences_that_fewest_pairs_suggest_go_until_a_url_can_pay_for_the_rest() {
        let word = |n: usize| char::from(b'a' + n as u8).to_string().repeat(3);
        let urls: Vec<String> = (0..900).map(|n| format!("http://a.test/all/{n}?s=1")).collect();
        let forms = (0..9).flat_map(|kind| {
            let form = move |n: usize| format!("http://a.test/{}/{n}?s=1", word(kind));
            (0..30 - kind).map(move |n| (n, form(n)))
        });
        let forms: Vec<(usize, String)> = forms.collect();
        let texts = urls.iter().chain(forms.iter().map(|(_, form)| form)).map(String::as_str);
        let lexicon = Lexicon::learn(texts, FrequencyThresholds { word: 0.0, key: 0.0 });
        let (mut proposals, mut literals) = (Proposals::default(), Literals::default());
        let pairs = forms.iter().map(|(n, form)| (urls[*n].as_str(), form.into(), *n as u32));
        proposals.add_differences(pairs, &lexicon, &mut literals);
        let labelled = (0..).zip(&urls).map(|(n, url)| (url.as_str(), n));
        let rows = Rows::new(labelled, &lexicon, &mut Texts::default());
        let programs = rows.programs();
        proposals.add_slots(programs.iter().zip(rows.counts()), lexicon.keys());
        let all = proposals.len();
        let kept = |proposals: &Proposals| proposals.of(&programs[0]);
        drop_costly(&mut proposals, &rows, &programs);
        let differences: Vec<u32> =
            kept(&proposals).iter().filter_map(|edit| proposals.suggested(*edit)).collect();
        assert_eq!(differences.len(), WORK_PER_URL / CHANGE, "of nine");
        assert!(differences.iter().all(|pairs| *pairs > 30 - 4), "{differences:?}");
        assert!(
            kept(&proposals).iter().any(|edit| matches!(proposals.edit(*edit), Edit::DropKey(_)))
        );
        assert_eq!(all, proposals.len(), "numbers stay");
        let left = kept(&proposals);
        drop_costly(&mut proposals, &rows, &programs);
        assert_eq!(kept(&proposals), left, "what is left can be afforded");
    }
}
