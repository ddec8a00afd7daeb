//! Differences that are the same except for some words become one difference for any words.
//!
//! In `/go/partner7/item/5` → `/item/5` frequent partners are function words, and each makes a difference of its
//! own. What such differences have in common is their least general generalisation (Plotkin, 1970).

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ordered::distinct;
use undust_edits::edit::Edit;
use undust_edits::replacement::{ANY, WORD, is_word};
use undust_url::lexicon::{Lexicon, Symbol};

/// Clusters that must suggest a difference.
pub(super) const LEAST_CLUSTERS: usize = 3;

/// Differences that must be alike; two where one has an argument, which stands for many.
const LEAST_ALIKE: usize = 3;

/// Who suggests a difference.
#[derive(Debug, Clone, Default)]
pub(super) struct Suggested {
    /// Pairs of URLs.
    pub pairs: u32,
    /// Their clusters, up to [`LEAST_CLUSTERS`].
    pub clusters: Vec<u32>,
}

impl Suggested {
    /// By one more pair of URLs, of this cluster.
    pub(super) fn add(&mut self, cluster: u32) {
        self.pairs += 1;
        self.add_cluster(cluster);
    }

    fn add_all(&mut self, other: &Self) {
        self.pairs += other.pairs;
        other.clusters.iter().for_each(|cluster| self.add_cluster(*cluster));
    }

    fn add_cluster(&mut self, cluster: u32) {
        if self.clusters.len() < LEAST_CLUSTERS && !self.clusters.contains(&cluster) {
            self.clusters.push(cluster);
        }
    }
}

/// Differences that are alike, and what they have in common.
struct Alike {
    edit: Edit,
    symbols: Vec<Symbol>,
    count: usize,
    by: Suggested,
}

impl Alike {
    fn of(edit: &Edit) -> Self {
        Self { edit: edit.clone(), symbols: symbols(edit), count: 0, by: Suggested::default() }
    }

    fn add(&mut self, edit: &Edit, by: &Suggested) {
        let mut has_argument = false;
        for (common, symbol) in self.symbols.iter_mut().zip(symbols(edit)) {
            if *common != symbol {
                has_argument |= *common == ANY || symbol == ANY;
                *common = WORD;
            }
        }
        self.count += if has_argument { LEAST_ALIKE } else { 1 };
        self.by.add_all(by);
    }

    /// What they have in common, if they are enough, and if each part of it has a word: without one it would hold
    /// anywhere.
    fn common(mut self) -> Option<(Edit, Suggested)> {
        let first = self.edit.clone();
        for (place, symbol) in self.symbols.iter().enumerate() {
            put(&mut self.edit, place, *symbol);
        }
        let mut both = parts(&first).iter().zip(parts(&self.edit));
        let is_told =
            both.all(|(one, common)| one == common || symbols(common).into_iter().any(is_word));
        (self.count >= LEAST_ALIKE && is_told).then_some((self.edit, self.by))
    }
}

/// Adds the common part of differences that are the same except in one place, or have one word in the same place.
/// Quadratic in the symbols of a difference, linear in the differences, in time and memory.
pub(super) fn widen(suggested: &mut FxHashMap<Edit, Suggested>, lexicon: &Lexicon) {
    let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
    let keys = |edit: &Edit| keys(edit, lexicon);
    for key in suggested.keys().flat_map(keys) {
        *counts.entry(key).or_default() += 1;
    }
    let mut alike: FxHashMap<u64, Alike> = FxHashMap::default();
    for (edit, by) in &*suggested {
        for key in keys(edit).into_iter().filter(|key| counts[key] > 1) {
            alike.entry(key).or_insert_with(|| Alike::of(edit)).add(edit, by);
        }
    }
    for (edit, by) in alike.into_values().filter_map(Alike::common) {
        let known = suggested.entry(edit).or_default();
        known.pairs = known.pairs.max(by.pairs);
        by.clusters.iter().for_each(|cluster| known.add_cluster(*cluster));
    }
}

/// The common part: everything except one place; or all delimiters and the piece in one place.
fn keys(edit: &Edit, lexicon: &Lexicon) -> Vec<u64> {
    let symbols = symbols(edit);
    let variables: Vec<usize> =
        (0..symbols.len()).filter(|at| is_variable(symbols[*at], lexicon)).collect();
    let mut bare = edit.clone();
    variables.iter().for_each(|place| put(&mut bare, *place, WORD));
    let mut keys = Vec::with_capacity(2 * variables.len());
    let mut one = edit.clone();
    for place in variables {
        put(&mut one, place, WORD);
        keys.push(hash(&one));
        put(&mut one, place, symbols[place]);
        if is_word(symbols[place]) {
            put(&mut bare, place, symbols[place]);
            keys.push(hash(&bare));
            put(&mut bare, place, WORD);
        }
    }
    distinct(keys)
}

/// The symbols that an edit replaces, through all its parts.
fn symbols(edit: &Edit) -> Vec<Symbol> {
    let of = |edit: &Edit| match edit {
        Edit::Replace { from, .. } => from.to_vec(),
        _ => Vec::new(),
    };
    parts(edit).iter().flat_map(of).collect()
}

/// Its parts; itself, if it is one.
fn parts(edit: &Edit) -> &[Edit] {
    if let Edit::Joint(edits) = edit { edits } else { std::slice::from_ref(edit) }
}

/// Puts a symbol in a place.
fn put(edit: &mut Edit, place: usize, symbol: Symbol) {
    let mut before = 0;
    let edits = match edit {
        Edit::Joint(edits) => edits,
        edit => std::slice::from_mut(edit),
    };
    for edit in edits {
        if let Edit::Replace { from, .. } = edit {
            if let Some(old) = from.get_mut(place - before) {
                *old = symbol;
                return;
            }
            before += from.len();
        }
    }
}

/// Whether other words may stand in its place: it is no delimiter, and names no argument.
fn is_variable(symbol: Symbol, lexicon: &Lexicon) -> bool {
    symbol == ANY || is_word(symbol) && !lexicon.is_key(symbol)
}

fn hash(edit: &Edit) -> u64 {
    FxBuildHasher.hash_one(edit)
}

#[cfg(test)]
mod tests {
    use undust_edits::diff::{ReadUrl, difference};
    use undust_edits::literals::Literals;
    use undust_edits::spell::spell;
    use undust_url::lexicon::FrequencyThresholds;

    use super::*;

    /// What is noted of the differences that come of these pairs, each of a cluster of its own, and of how many
    /// pairs; without those that a pair suggests.
    fn wider(pairs: &[(&str, &str)]) -> Vec<(String, u32)> {
        let url = |rest: &str| format!("http://x.com/{rest}");
        let urls = pairs.iter().flat_map(|(source, target)| [url(source), url(target)]);
        // Each URL stands three times, so that its texts are function words; texts with 77 stay arguments.
        let urls: Vec<String> = urls
            .filter(|url| !url.contains("77"))
            .flat_map(|url| ["", "/", "//"].map(|end| format!("{url}{end}")))
            .collect();
        let words = urls.iter().map(String::as_str);
        let lexicon = Lexicon::learn(words, FrequencyThresholds { word: 0.0, key: 0.0 });
        let (mut suggested, mut literals) = (FxHashMap::default(), Literals::default());
        for (cluster, (source, target)) in (0..).zip(pairs) {
            let (source, target) = (url(source), url(target));
            let (source, target) = (ReadUrl::of(&source, &lexicon), ReadUrl::of(&target, &lexicon));
            let edits = difference(&source, &target, &mut literals).unwrap_or_default();
            let joint = (edits.len() > 1).then(|| Edit::Joint(edits.clone().into()));
            for edit in edits.into_iter().chain(joint) {
                suggested.entry(edit).or_insert_with(Suggested::default).add(cluster);
            }
        }
        let narrow: Vec<Edit> = suggested.keys().cloned().collect();
        widen(&mut suggested, &lexicon);
        narrow.iter().for_each(|edit| drop(suggested.remove(edit)));
        let described =
            |(edit, by): (Edit, Suggested)| (spell(&edit, &lexicon, &literals), by.pairs);
        let mut described: Vec<(String, u32)> = suggested.into_iter().map(described).collect();
        described.sort_unstable();
        described
    }

    const GO: [(&str, &str); 3] =
        [("go/a/item", "item"), ("go/b/item", "item"), ("go/c/item", "item")];

    #[test]
    fn three_words_in_one_place_tell_that_any_may_stand_there() {
        assert_eq!(wider(&GO), [("go/<word>/ → ".to_owned(), 3)]);
        assert_eq!(wider(&GO[..2]), []);
    }

    #[test]
    fn an_argument_tells_as_much_as_many_words() {
        let with_argument = [GO[0], ("go/77/item", "item")];
        assert_eq!(wider(&with_argument), [("go/<word>/ → ".to_owned(), 2)]);
    }

    /// `b` is another in two places at once.
    #[test]
    fn words_may_differ_in_several_places() {
        let both = [("go/a/at/a/x", "x"), ("go/b/at/b/x", "x"), ("go/c/at/c/x", "x")];
        assert_eq!(wider(&both), [("go/<word>/at/<word>/ → ".to_owned(), 3)]);
    }

    #[test]
    fn no_difference_is_made_that_holds_anywhere() {
        let alone = [("a/x", "x"), ("b/x", "x"), ("c/x", "x")];
        assert_eq!(wider(&alone), []);
        let in_two_places = [("a/x/at/y", "x/y"), ("b/x/at/y", "x/y"), ("c/x/at/y", "x/y")];
        assert_eq!(wider(&in_two_places), []);
    }

    /// What `?a=` asks for is not what `?b=` asks for.
    #[test]
    fn names_of_arguments_stay() {
        let named = [("go?a=1", "go/at/1"), ("go?b=1", "go/at/1"), ("go?c=1", "go/at/1")];
        assert_eq!(wider(&named), []);
        let bare = [("go?a", "at"), ("go?b", "at"), ("go?c", "at")];
        assert_eq!(wider(&bare), []);
    }
}
