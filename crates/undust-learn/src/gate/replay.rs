//! The last look: what is to be served, replayed over the crawl that it was learned from, as a
//! crawler would that fetches the first URL of each form.
//!
//! The gate tests programs of shapes, and by majorities. A form that is read again may have
//! other pieces, and the URL that comes first may be of the minority. Here nothing is assumed.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use undust_edits::editor::Editor;
use undust_edits::scope::{EXCEPTIONS, Scope, scopes};
use undust_model::translation::Rewriter;

use super::revise;
use crate::ordered::distinct;

/// An edit is suppressed where it loses pages, if it loses at most so many times what all edits
/// together may lose. What loses more there loses too much elsewhere, too.
pub(super) const MOST_SUPPRESSED: usize = 2;

/// Takes back what saves least for each cluster that is lost to it, until at most this share of the
/// clusters is lost: edits where a URL has just such a shape, or as a whole. `urls` are in crawl order,
/// each with its cluster. Linear in them for each time that something is taken back.
pub(crate) fn within(mut editor: Editor, urls: &[(&str, u32)], max_lost_share: f64) -> Editor {
    let clusters = urls.iter().map(|(_, cluster)| *cluster + 1).max().unwrap_or(0) as usize;
    let allowed = (max_lost_share * clusters as f64) as usize;
    loop {
        let replay = GateReplay::of(&editor, urls, clusters);
        if replay.lost <= allowed {
            return editor;
        }
        let Some((rule, scopes)) = replay.worst(&editor, urls, allowed) else { return editor };
        editor = match scopes {
            Some((scopes, saved)) => revise::except(&editor, rule, scopes, saved),
            None => revise::without(&editor, rule),
        };
    }
}

/// By URL: the first URL of its form.
pub(super) fn firsts(editor: &Editor, urls: &[(&str, u32)]) -> Vec<u32> {
    let mut firsts: FxHashMap<u64, u32> = FxHashMap::default();
    let first = |(place, (url, _)): (u32, &(&str, u32))| {
        let form = xxh3_64(editor.rewritten(url).as_bytes());
        *firsts.entry(form).or_insert(place)
    };
    (0..).zip(urls).map(first).collect()
}

struct GateReplay {
    /// By URL: the first URL of its form.
    first: Vec<u32>,
    /// By cluster: whether a URL of it is fetched.
    seen: Vec<bool>,
    lost: usize,
}

impl GateReplay {
    fn of(editor: &Editor, urls: &[(&str, u32)], clusters: usize) -> Self {
        let first = firsts(editor, urls);
        let mut seen = vec![false; clusters];
        for (place, ((_, cluster), first)) in (0..).zip(urls.iter().zip(&first)) {
            seen[*cluster as usize] |= *first == place;
        }
        let lost = seen.iter().filter(|seen| !**seen).count();
        Self { first, seen, lost }
    }

    /// The rule that saves the fewest fetches for each cluster that is lost to it, of equal ones the
    /// last; and the narrow scopes where it loses some, if it may be suppressed there. A cluster is lost
    /// to the rules that were applied to its URLs, or to those fetched in their place, and so is a
    /// fetch saved by them.
    fn worst(
        &self,
        editor: &Editor,
        urls: &[(&str, u32)],
        allowed: usize,
    ) -> Option<(usize, Option<SuppressedScopes>)> {
        let mut known = vec![Done::default(); editor.rules().len()];
        for (place, ((url, cluster), first)) in (0..).zip(urls.iter().zip(&self.first)) {
            if *first == place {
                continue;
            }
            let lost = (!self.seen[*cluster as usize]).then_some(*cluster);
            let mut applied = Vec::new();
            for url in [url, urls[*first as usize].0] {
                editor.each_step(url, |rule, accepted, program| {
                    let scope = scopes(&accepted.edit, program)[EXCEPTIONS];
                    applied.push((rule, scope));
                    if lost.is_some() {
                        let lossy = known[rule].lossy.entry(scope);
                        lossy.or_insert_with(|| Scope::of(&accepted.edit, EXCEPTIONS, program));
                    }
                });
            }
            for of_rule in distinct(applied).chunk_by(|one, other| one.0 == other.0) {
                known[of_rule[0].0].note(lost, of_rule.iter().map(|(_, scope)| *scope));
            }
        }
        let guilty = known.iter().enumerate().filter(|(_, done)| !done.lost.is_empty());
        let (rule, worst) = guilty.max_by(|(_, one), (_, other)| one.cmp_guilt(other))?;
        Some((rule, worst.suppressed(allowed)))
    }
}

/// Narrow scopes in which a rule is not applied, and the fetches that it saved there.
type SuppressedScopes = (Vec<Scope>, usize);

/// What a rule did in a replay.
#[derive(Debug, Clone, Default)]
struct Done {
    /// Fetches of pages that were seen already.
    saved: usize,
    /// Clusters that were never seen.
    lost: FxHashSet<u32>,
    /// By scope, given by its number: the fetches saved.
    saved_in: FxHashMap<u64, usize>,
    /// The scopes where something was lost, by their numbers.
    lossy: FxHashMap<u64, Scope>,
}

impl Done {
    /// A URL was not fetched; `lost` is its cluster, if that was never seen.
    fn note(&mut self, lost: Option<u32>, scopes: impl Iterator<Item = u64>) {
        self.saved += usize::from(lost.is_none());
        self.lost.extend(lost);
        for scope in scopes {
            *self.saved_in.entry(scope).or_default() += usize::from(lost.is_none());
        }
    }

    /// Which of two loses more for what it saves.
    fn cmp_guilt(&self, other: &Self) -> Ordering {
        let [one, two] = [self, other].map(|done| done.lost.len());
        (one * other.saved, one).cmp(&(two * self.saved, two))
    }

    /// The scopes where it loses pages, and what it saves there, if it saves more elsewhere.
    fn suppressed(&self, allowed: usize) -> Option<SuppressedScopes> {
        let saved_in = |scope: &u64| self.saved_in.get(scope).copied().unwrap_or(0);
        let saved_there: usize = self.lossy.keys().map(saved_in).sum();
        let is_suppressed =
            self.lost.len() <= MOST_SUPPRESSED * allowed && saved_there * 2 < self.saved;
        is_suppressed.then(|| (self.lossy.values().cloned().collect(), saved_there))
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use undust_testing::crawl;

    use super::*;
    use crate::config::Config;
    use crate::gate::learn::{Proposers, learn};
    use crate::training::TrainingSet;

    /// An editor that drops `s` and `t`, `s` in three places and so in any.
    fn editor() -> Editor {
        let url = |n: usize, rest: &str| format!("http://a.test/{n}{rest}");
        let (one, other) = (100..140, 200..230);
        let mut groups: Vec<_> = one
            .map(|n| vec![url(n, ""), url(n, &format!("?s={}", n % 7))])
            .chain(other.map(|n| vec![url(n, ""), url(n, &format!("?t={}", n % 7))]))
            .collect();
        for folder in ["f", "g"] {
            let page = |n: usize, rest: &str| format!("http://a.test/{folder}/{n}{rest}");
            groups.extend((100..110).map(|n| vec![page(n, ""), page(n, &format!("?s={}", n % 7))]));
        }
        let (pages, clusters) = crawl(&groups);
        let (set, config) = (TrainingSet::new(&pages, &clusters), Config::default());
        learn(&set, &Proposers::SLOTS, &config, &()).expect("a model")
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
            for max_lost_share in [0.2, 0.0] {
                let left = within(editor(), &urls, max_lost_share);
                assert_eq!(rules(&left), [&*both[kept]], "{lossy}");
                let refusals = left.refusals();
                assert_eq!(
                    refusals[0].why,
                    "together with the other edits it loses too many pages"
                );
                // How many URLs it would change nobody has counted.
                assert_eq!(refusals[0].urls, None);
            }
        }
    }

    #[test]
    fn what_no_edit_loses_takes_none_back() {
        let urls = [("http://a.test/1", 0), ("http://a.test/1", 1)];
        assert_eq!(rules(&within(editor(), &urls, 0.0)).len(), 2);
    }

    /// Pages, each with a copy that `with` is added to, numbered from `first`.
    fn copies(pages: Range<u32>, folder: &str, with: &str) -> Vec<(String, u32)> {
        let page = |number: u32| format!("http://a.test/{folder}{}", 300 + number);
        pages.flat_map(|one| [(page(one), one), (page(one) + with, one)]).collect()
    }

    /// Pages of which `with` makes another.
    fn others(pages: Range<u32>, folder: &str, with: &str) -> Vec<(String, u32)> {
        let page = |number: u32| format!("http://a.test/{folder}{}", 300 + number);
        let two = |one: u32| [(page(one), 2 * one), (page(one) + with, 2 * one + 1)];
        pages.flat_map(two).collect()
    }

    /// What is left of the editor where so many clusters may be lost.
    fn left(urls: &[Vec<(String, u32)>], allowed: f64) -> Editor {
        let mut numbers = FxHashMap::default();
        let mut numbered = Vec::new();
        for (url, page) in urls.iter().flatten() {
            let next = numbers.len() as u32;
            numbered.push((url.as_str(), *numbers.entry(page).or_insert(next)));
        }
        within(editor(), &numbered, (allowed + 0.5) / numbers.len() as f64)
    }

    /// `s` saves fifty fetches and loses two pages, `t` saves five and loses one.
    #[test]
    fn the_edit_that_saves_least_for_what_it_loses_goes_first() {
        let kept = [
            copies(0..50, "", "?s=1"),
            others(100..102, "", "?s=1"),
            copies(60..65, "", "?t=1"),
            others(110..111, "", "?t=1"),
        ];
        let rest = left(&kept, 2.0);
        assert!(matches!(rules(&rest)[..], [one] if one.contains('s')), "{:?}", rules(&rest));
        assert_eq!(left(&kept, 3.0).rules().len(), 2);
    }

    /// `s` holds but in one folder.
    #[test]
    fn an_edit_that_loses_few_pages_is_suppressed_where_it_does() {
        let urls = [copies(0..50, "", "?s=1"), others(100..104, "f/", "?s=1")];
        let suppressed = left(&urls, 2.0);
        assert_eq!(rules(&suppressed).len(), 2);
        let form = |editor: &Editor, url: &str| editor.rewritten(url).into_owned();
        assert_eq!(form(&suppressed, "http://a.test/f/499?s=1"), "http://a.test/f/499?s=1");
        assert_eq!(form(&suppressed, "http://a.test/499?s=1"), "http://a.test/499");
        let described = suppressed.refusals_of("http://a.test/f/499?s=1");
        assert!(
            described[0].notation == "drop ?s" && described[0].why.contains("exception"),
            "{}",
            described[0].why
        );
        assert_eq!((described[0].urls, described[0].evidence.tested), (None, 60));
        // It saves nothing there that could be reported of it.
        let described = suppressed.describe();
        let known = described.iter().find(|edit| edit.notation == "drop ?s");
        let known = known.and_then(|edit| edit.evidence.as_ref()).expect("evidence");
        assert_eq!((known.tested, known.saved), (60, Some(60)));
        // A fetch that two URLs with the argument save is one.
        let twice = |pages: Range<u32>, folder: &str| {
            let url =
                |page: u32, s: u32| (format!("http://a.test/{folder}{}?s={s}", 300 + page), page);
            pages.flat_map(|page| [url(page, 1), url(page, 2)]).collect::<Vec<_>>()
        };
        let urls = [twice(0..50, ""), twice(50..70, "f/"), others(100..104, "f/", "?s=1")];
        assert_eq!(rules(&left(&urls, 2.0)).len(), 2);
        // What loses four times what may be lost is not trusted elsewhere.
        assert_eq!(rules(&left(&urls, 1.0)).len(), 1);
        // An edit that holds in few places is not trusted either.
        let few = [copies(0..50, "f/", "?s=1"), others(100..104, "f/", "?s=1")];
        assert_eq!(rules(&left(&few, 2.0)).len(), 1);
    }
}
