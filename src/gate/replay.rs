//! The last look: what is to be served, replayed over the crawl that it was learned from, as a
//! crawler would that fetches the first URL of each form.
//!
//! The gate judges programs of shapes, and by majorities. A form that is read again may have
//! other pieces, and the URL that comes first may be of the minority. Here nothing is assumed.

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use crate::edits::editor::Editor;
use crate::translation::Canonicalizer;

/// Takes edits back, the one that most lost clusters are due to first, until at most this share
/// of the clusters is lost. `urls` are in crawl order, each with its cluster. Linear in them for
/// each edit that is taken back.
pub(crate) fn within(mut editor: Editor, urls: &[(&str, u32)], risk: f64) -> Editor {
    let clusters = urls.iter().map(|(_, cluster)| *cluster + 1).max().unwrap_or(0) as usize;
    let allowed = (risk * clusters as f64) as usize;
    loop {
        let replay = Replay::of(&editor, urls, clusters);
        if replay.lost <= allowed {
            return editor;
        }
        let Some(worst) = replay.worst(&editor, urls) else { return editor };
        editor = editor.take_back(worst);
    }
}

struct Replay {
    /// By URL: the first URL of its form.
    first: Vec<u32>,
    /// By cluster: whether a URL of it is fetched.
    seen: Vec<bool>,
    lost: usize,
}

impl Replay {
    fn of(editor: &Editor, urls: &[(&str, u32)], clusters: usize) -> Self {
        let mut firsts: FxHashMap<u64, u32> = FxHashMap::default();
        let (mut first, mut seen) = (Vec::with_capacity(urls.len()), vec![false; clusters]);
        for (place, (url, cluster)) in (0..).zip(urls) {
            let form = xxh3_64(editor.canonicalize(url).as_bytes());
            let earliest = *firsts.entry(form).or_insert(place);
            seen[*cluster as usize] |= earliest == place;
            first.push(earliest);
        }
        let lost = seen.iter().filter(|seen| !**seen).count();
        Self { first, seen, lost }
    }

    /// The edit that was applied to URLs of most lost clusters, or to those fetched in their
    /// place; of equal ones the last.
    fn worst(&self, editor: &Editor, urls: &[(&str, u32)]) -> Option<usize> {
        let mut blamed: FxHashSet<(usize, u32)> = FxHashSet::default();
        for ((url, cluster), first) in urls.iter().zip(&self.first) {
            if !self.seen[*cluster as usize] {
                for url in [url, urls[*first as usize].0] {
                    blamed.extend(editor.applied(url).into_iter().map(|rule| (rule, *cluster)));
                }
            }
        }
        let mut counts = vec![0; editor.rules().len()];
        blamed.into_iter().for_each(|(rule, _)| counts[rule] += 1);
        let worst = counts.iter().enumerate().max_by_key(|(_, count)| **count);
        worst.filter(|(_, count)| **count > 0).map(|(rule, _)| rule)
    }
}
