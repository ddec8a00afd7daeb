//! Which edits are worth a look: a URL pays for a bounded number of them.
//!
//! Every pair of URLs of a page may suggest edits, and each may change most URLs: on random words
//! both grow with the crawl, and to judge every edit on every URL would take time quadratic in it.

use undust_model::edits::edit::MOST_PIECES;
use undust_util::mixed::Mixed;
use undust_util::op_counter;

use super::propose::Proposals;
use super::rows::Rows;

/// Most work of a URL, on average: differences that are tried on its shape, and [`CHANGE`] for each that
/// changes it. Of nineteen real crawls two reach it.
const WORK: usize = 64;

/// What a change costs, in edits that are tried in vain: it is counted in seven scopes, and in one for each
/// word of the path.
const CHANGE: usize = 16;

/// Shapes of the first look. Each later one doubles the shapes that were seen.
const FIRST: usize = 256;

/// Tries the edits on all shapes, in an order that mixes them. After each doubling, the differences with the
/// fewest suggesting pairs for their work are dropped, until the others can be afforded. Returns how many were
/// dropped. Deletions of slots stay: a URL has no more of them than pieces.
pub(crate) fn drop_dear(proposals: &mut Proposals, rows: &Rows) -> usize {
    let (mut works, mut dropped) = (vec![0; proposals.len()], 0);
    let order = Mixed::of(rows.shapes.len());
    let (mut done, mut urls) = (0, 0);
    while done < rows.shapes.len() {
        let next = rows.shapes.len().min(FIRST.max(2 * done));
        for place in (done..next).map(|at| order.place(at)) {
            let row = &rows.shapes[place];
            urls += row.urls.len();
            if row.program.len() > MOST_PIECES {
                continue;
            }
            let found = proposals.of(&row.program);
            op_counter::count(found.len());
            for edit in found.into_iter().filter(|edit| proposals.suggested(*edit).is_some()) {
                let changes = proposals.edit(edit).apply(&row.program).is_some();
                works[edit as usize] += if changes { CHANGE * row.urls.len() } else { 1 };
            }
        }
        done = next;
        dropped += drop_until(proposals, &mut works, WORK * urls);
    }
    dropped
}

/// Drops differences until the work for all that are left is affordable; how many.
fn drop_until(proposals: &mut Proposals, works: &mut [usize], affordable: usize) -> usize {
    let mut work: usize = works.iter().sum();
    if work <= affordable {
        return 0;
    }
    let promise = |(number, work): (u32, &usize)| {
        let pairs = proposals.suggested(number).filter(|_| *work > 0)?;
        Some((f64::from(pairs) / *work as f64, number))
    };
    let mut worst_first: Vec<(f64, u32)> = (0..).zip(&*works).filter_map(promise).collect();
    // Of equals the later one goes first.
    worst_first.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let mut is_kept = vec![true; works.len()];
    let mut dropped = 0;
    for (_, number) in worst_first {
        if work <= affordable {
            break;
        }
        work -= std::mem::take(&mut works[number as usize]);
        is_kept[number as usize] = false;
        dropped += 1;
    }
    proposals.retain(|number| is_kept[number as usize]);
    dropped
}

#[cfg(test)]
mod tests {
    use undust_model::edits::edit::Edit;
    use undust_model::edits::literals::Literals;
    use undust_url::lexicon::{Lexicon, Shares};

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
        let lexicon = Lexicon::learn(texts, Shares { word: 0.0, key: 0.0 });
        let (mut proposals, mut literals) = (Proposals::default(), Literals::default());
        let pairs = forms.iter().map(|(n, form)| (urls[*n].as_str(), form.into(), *n as u32));
        proposals.add_differences(pairs, &lexicon, &mut literals);
        let labelled = (0..).zip(&urls).map(|(n, url)| (url.as_str(), n));
        let rows = Rows::new(labelled, &lexicon, &mut Texts::default());
        proposals.add_slots(&rows, lexicon.keys());
        let all = proposals.len();
        let kept = |proposals: &Proposals| proposals.of(&rows.shapes[0].program);
        let dropped = drop_dear(&mut proposals, &rows);
        let differences: Vec<u32> =
            kept(&proposals).iter().filter_map(|edit| proposals.suggested(*edit)).collect();
        assert_eq!(differences.len(), WORK / CHANGE, "of nine");
        assert!(differences.iter().all(|pairs| *pairs > 30 - 4), "{differences:?}");
        assert_eq!(dropped, 9 - WORK / CHANGE);
        assert!(
            kept(&proposals).iter().any(|edit| matches!(proposals.edit(*edit), Edit::DropKey(_)))
        );
        assert_eq!(all, proposals.len(), "numbers stay");
        assert_eq!(drop_dear(&mut proposals, &rows), 0, "what is left can be afforded");
    }
}
