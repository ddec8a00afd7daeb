//! Edits that a training set suggests.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::varying::varying;
use super::widen::{LEAST_CLUSTERS, Suggested, widen};
use crate::ordered::distinct;
use undust_edits::cut::cuts;
use undust_edits::diff::{ReadUrl, difference};
use undust_edits::edit::Edit;
use undust_edits::index::EditIndex;
use undust_edits::literals::Literals;
use undust_edits::program::{Cell, FRONT, MOST_PIECES, Program, arguments, copy, path_end};
use undust_url::lexicon::{Lexicon, Symbol};

/// Or so many pairs of URLs, though all of one cluster: a log-in page at which many URLs end is one, and what it
/// suggests is suggested by no other.
const LEAST_URLS: u32 = 20;

/// Values of several pieces of an argument that are tried: a default is among the most usual.
const MOST_EXPRESSIONS: usize = 8;

/// Stands for pairs where an edit needs none.
const ALWAYS: u32 = u32::MAX;

/// The edits to test, found by a symbol that each needs.
#[derive(Default)]
pub struct Proposals {
    edits: Vec<Edit>,
    /// By edit: the pairs of URLs that suggested it, or [`ALWAYS`].
    suggested: Vec<u32>,
    numbers: FxHashMap<Edit, u32>,
    index: EditIndex,
    /// Names of arguments that no edit may drop, or give another value.
    kept: Vec<Symbol>,
}

impl Proposals {
    /// None yet; what would drop an argument of these names is never added.
    pub(crate) fn keeping(kept: Vec<Symbol>) -> Self {
        Self { kept, ..Self::default() }
    }

    /// An edit by its number.
    pub(crate) fn edit(&self, number: u32) -> &Edit {
        &self.edits[number as usize]
    }

    /// Adds an edit that needs no pair of URLs to suggest it; what is known already is not added again.
    pub(crate) fn add(&mut self, edit: Edit) {
        self.add_suggested(edit, ALWAYS);
    }

    /// Adds an edit that so many pairs of URLs suggest.
    fn add_suggested(&mut self, edit: Edit, pairs: u32) {
        if !self.allows(&edit) {
            return;
        }
        if let Some(number) = self.numbers.get(&edit) {
            let known = &mut self.suggested[*number as usize];
            *known = pairs.max(*known);
            return;
        }
        let number = self.edits.len() as u32;
        self.index.add(number, &edit);
        self.suggested.push(pairs);
        self.numbers.insert(edit.clone(), number);
        self.edits.push(edit);
    }

    /// Whether an edit was proposed.
    pub(crate) fn has(&self, edit: &Edit) -> bool {
        self.numbers.contains_key(edit)
    }

    fn allows(&self, edit: &Edit) -> bool {
        edit.is_general() && !self.kept.iter().any(|key| edit.drops(*key))
    }

    /// How many there are, those that were taken back included.
    pub(crate) fn len(&self) -> usize {
        self.edits.len()
    }

    /// The pairs of URLs that suggested an edit; none where it needs none.
    pub(crate) fn suggested(&self, number: u32) -> Option<u32> {
        Some(self.suggested[number as usize]).filter(|pairs| *pairs != ALWAYS)
    }

    /// Takes back all but these edits, which keep their numbers.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(u32) -> bool) {
        self.numbers.retain(|_, number| is_kept(*number));
        self.index.retain(is_kept);
    }

    /// The edits that may change a program.
    pub(crate) fn of(&self, program: &[Cell]) -> Vec<u32> {
        self.index.of(program.iter().map(|cell| cell.symbol))
    }

    /// Adds the deletion of every named argument, every cut of its values, and the deletion of every
    /// slot of a path. Each program comes with the number of its URLs.
    pub(crate) fn add_slots<'p>(
        &mut self,
        programs: impl Iterator<Item = (&'p Program, usize)> + Clone,
        names: impl Iterator<Item = Symbol>,
    ) {
        let valued = usual_values(programs.clone());
        let programs = programs.map(|(program, _)| program.as_slice());
        let programs = programs.filter(|program| program.len() <= MOST_PIECES);
        let deepest = programs.clone().map(path_end).max().unwrap_or_default();
        let slots = (FRONT..deepest).map(|place| Edit::DropSlot(place as u16));
        let of_names = names.map(Edit::DropKey).chain(valued).chain(cuts(programs));
        of_names.chain([Edit::DropPath]).chain(slots).for_each(|edit| self.add(edit));
    }

    /// Adds the differences of `pairs` (source, target, cluster) that enough clusters or URLs suggest:
    /// each part by itself, and all of a pair together; and those that [hold for any word](super::widen) in a
    /// place.
    pub(crate) fn add_differences<'u>(
        &mut self,
        pairs: impl Iterator<Item = (&'u str, Cow<'u, str>, u32)>,
        lexicon: &Lexicon,
        literals: &mut Literals,
    ) {
        let mut differences = Differences::default();
        for (source, target, cluster) in pairs {
            let (source, target) = (ReadUrl::of(source, lexicon), ReadUrl::of(&target, lexicon));
            differences.add(&source, &target, cluster, literals);
        }
        self.add_all(differences, lexicon);
    }

    /// Adds those that enough clusters or URLs suggest, and those that hold for any word in a place.
    pub(crate) fn add_all(&mut self, Differences(mut suggested): Differences, lexicon: &Lexicon) {
        widen(&mut suggested, lexicon);
        let enough = |(_, by): &(Edit, Suggested)| {
            by.clusters.len() >= LEAST_CLUSTERS || by.pairs >= LEAST_URLS
        };
        let mut kept: Vec<(Edit, u32)> =
            suggested.into_iter().filter(enough).map(|(edit, by)| (edit, by.pairs)).collect();
        kept.sort_unstable();
        for (edit, pairs) in kept {
            self.add_suggested(edit, pairs);
        }
    }
}

/// Differences of URLs that show one page, and who suggests each.
#[derive(Default)]
pub(crate) struct Differences(FxHashMap<Edit, Suggested>);

impl Differences {
    /// What makes a target of a source, by parts and in all. Quadratic in the pieces of one URL.
    pub(crate) fn add(
        &mut self,
        source: &ReadUrl<'_>,
        target: &ReadUrl<'_>,
        cluster: u32,
        literals: &mut Literals,
    ) {
        if source.shape.len().max(target.shape.len()) > MOST_PIECES {
            return;
        }
        let mut suggest = |edit: Edit| self.0.entry(edit).or_default().add(cluster);
        let varying = varying(source, target);
        if varying.len() > 1 {
            suggest(Edit::Joint(varying.into()));
        } else {
            varying.into_iter().for_each(&mut suggest);
        }
        let Some(edits) = difference(source, target, literals) else { return };
        if edits.len() > 1 {
            let of_values = with_values(&edits, source);
            of_values.into_iter().for_each(|edits| suggest(Edit::Joint(edits)));
            suggest(Edit::Joint(edits.clone().into()));
        }
        edits.into_iter().for_each(suggest);
    }
}

/// The same edits, but that arguments are dropped for their values alone, where those are function words: this
/// month and year together may be what a page shows anyway, and any others not.
fn with_values(edits: &[Edit], source: &ReadUrl<'_>) -> Option<Box<[Edit]>> {
    let program = copy(&source.shape);
    let with_value = |edit: &Edit| match edit {
        Edit::DropKey(name) => {
            let is_word = |valued: &Edit| match valued {
                Edit::DropArgument(key, value) => key == name && value.len() == 1,
                _ => false,
            };
            valued(&program).into_iter().find(is_word).unwrap_or_else(|| edit.clone())
        }
        _ => edit.clone(),
    };
    let edited: Box<[Edit]> = edits.iter().map(with_value).collect();
    (*edited != *edits).then_some(edited)
}

/// The deletions of the arguments of programs whose value is of function words. Of values of several pieces, of which there
/// may be as many as URLs, those that most URLs have.
fn usual_values<'p>(programs: impl Iterator<Item = (&'p Program, usize)>) -> Vec<Edit> {
    let mut urls: FxHashMap<Edit, usize> = FxHashMap::default();
    for (program, count) in programs {
        valued(program).into_iter().for_each(|edit| *urls.entry(edit).or_default() += count);
    }
    let is_word = |(edit, _): &(Edit, usize)| edit.size() == 2;
    let (words, mut others): (Vec<_>, Vec<_>) = urls.into_iter().partition(is_word);
    let name = |edit: &Edit| edit.needs().first().copied();
    others.sort_unstable_by(|(one, urls), (other, others)| {
        let by_name = name(one).cmp(&name(other));
        by_name.then(others.cmp(urls)).then_with(|| one.cmp(other))
    });
    let of_name = others.chunk_by(|one, other| name(&one.0) == name(&other.0));
    let usual = of_name.flat_map(|values| values.iter().take(MOST_EXPRESSIONS)).cloned();
    distinct(words.into_iter().chain(usual).map(|(edit, _)| edit))
}

/// The deletions of the arguments of a program whose value is of function words.
fn valued(program: &[Cell]) -> Vec<Edit> {
    let of = |(start, end): (usize, usize)| {
        let [key, equals, value @ ..] = &program[start..end] else { return None };
        let is_value = Some(equals.symbol) == Lexicon::delimiter("=")
            && value.iter().any(|cell| Lexicon::is_word(cell.symbol))
            && !value.iter().any(|cell| Lexicon::is_argument(cell.symbol));
        let value = value.iter().map(|cell| cell.symbol).collect();
        (is_value && Lexicon::is_word(key.symbol)).then_some(Edit::DropArgument(key.symbol, value))
    };
    arguments(program).into_iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use undust_edits::cut::cuts;
    use undust_url::lexicon::FrequencyThresholds;

    use super::*;

    /// Values of several pieces may be as many as URLs, and each edit is tried on all URLs that have a word of it.
    #[test]
    fn of_long_values_the_most_usual_are_dropped() {
        let value = |n: usize| format!("{}.{}", ["ab", "cd", "ef", "gh"][n % 4], n / 4 % 5);
        let urls: Vec<String> =
            (0..500).map(|n| format!("http://x.com/?v={}", value(n % 20 * (n % 3)))).collect();
        let urls = urls.iter().map(String::as_str);
        let lexicon = Lexicon::learn(urls.clone(), FrequencyThresholds { word: 0.0, key: 0.0 });
        let programs: Vec<Program> =
            urls.map(|url| copy(&ReadUrl::of(url, &lexicon).shape)).collect();
        let dropped = usual_values(programs.iter().map(|program| (program, 1)));
        assert_eq!(dropped.len(), MOST_EXPRESSIONS);
        let usual = valued(&copy(&ReadUrl::of("http://x.com/?v=ab.0", &lexicon).shape));
        assert!(dropped.contains(&usual[0]), "{dropped:?}");
    }

    /// A shorter value is another value.
    #[test]
    fn what_is_kept_is_not_cut() {
        let urls = [0, 1, 2].map(|n| format!("http://x.com/{n}?from=1&to=2"));
        let shares = FrequencyThresholds { word: 1.0, key: 0.0 };
        let lexicon = Lexicon::learn(urls.iter().map(String::as_str), shares);
        let url = "http://x.com/?from=a.b.c.d&to=1.2&new=1.2";
        let program = copy(&ReadUrl::of(url, &lexicon).shape);
        let [from, to] = ["from", "to"].map(|name| lexicon.key(name).expect("a name"));
        let all = cuts([program.as_slice()].into_iter());
        let mut proposals = Proposals::keeping(vec![from]);
        all.iter().for_each(|edit| proposals.add(edit.clone()));
        assert!(all.iter().any(|edit| edit.drops(from)) && all.iter().any(|edit| edit.drops(to)));
        assert!(all.iter().all(|edit| proposals.has(edit) != edit.drops(from)));
    }
}
