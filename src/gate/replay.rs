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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::gate::learn::{Proposers, learn};
    use crate::method::Training;
    use crate::training::TrainingSet;
    use crate::training::tests::crawl;

    /// An editor that drops `s` and `t`.
    fn editor() -> Editor {
        let url = |n: usize, rest: &str| format!("http://a.test/{n}{rest}");
        let (one, other) = (100..140, 200..230);
        let groups: Vec<_> = one
            .map(|n| vec![url(n, ""), url(n, "?s=1")])
            .chain(other.map(|n| vec![url(n, ""), url(n, "?t=1")]))
            .collect();
        let (pages, clusters) = crawl(&groups);
        let (set, config) = (TrainingSet::new(&pages, &clusters), Config::default());
        learn(&set, &Proposers::SLOTS, &Training::new(&config)).expect("a model")
    }

    fn rules(editor: &Editor) -> Vec<&str> {
        editor.rules().map(|rule| &*rule.notation).collect()
    }

    /// Ten clusters, three of which are lost where an argument is dropped.
    #[test]
    fn the_edit_that_loses_most_is_taken_back() {
        let both: Vec<String> = rules(&editor()).into_iter().map(str::to_owned).collect();
        assert_eq!(both.len(), 2, "{both:?}");
        for (kept, lossy) in [(0, "t"), (1, "s")] {
            let kept = if both[kept].contains('s') == (lossy == "t") { kept } else { 1 - kept };
            let mut urls = Vec::new();
            for cluster in 0..7 {
                urls.push((format!("http://a.test/{}", 300 + cluster), cluster));
                let harmless = if lossy == "t" { "s" } else { "t" };
                urls.push((format!("http://a.test/{}?{harmless}=1", 300 + cluster), cluster));
            }
            for cluster in 7..10 {
                urls.push((format!("http://a.test/{}?{lossy}=1", 300 + cluster - 7), cluster));
            }
            let urls: Vec<(&str, u32)> =
                urls.iter().map(|(url, cluster)| (url.as_str(), *cluster)).collect();
            assert_eq!(rules(&within(editor(), &urls, 0.3)).len(), 2);
            for risk in [0.2, 0.0] {
                let left = within(editor(), &urls, risk);
                assert_eq!(rules(&left), [&*both[kept]], "{lossy}");
                let refusals = left.refusals();
                assert_eq!(refusals[0].why, "with all the others it loses too many pages");
            }
        }
    }

    #[test]
    fn what_no_edit_loses_takes_none_back() {
        let urls = [("http://a.test/1", 0), ("http://a.test/1", 1)];
        assert_eq!(rules(&within(editor(), &urls, 0.0)).len(), 2);
    }
}
