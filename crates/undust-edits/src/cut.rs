//! Values of the query, cut short: all times of a day show the same in
//! `from=2024-12-01T20:25`, and all of a document's parts in `id=wiki:syntax:links`.

use rustc_hash::FxHashMap;

use undust_url::lexicon::{Lexicon, Symbol};

use super::edit::Edit;
use super::program::{Cell, Program, arguments};

/// Most words of a value that are left.
const MOST_WORDS: usize = 8;

/// Cuts the values of an argument after this number of words; none if no value has more.
pub(super) fn cut(program: &[Cell], key: Symbol, words: usize) -> Option<Program> {
    let last = words.checked_sub(1)?;
    let mut edited = Program::with_capacity(program.len());
    let mut from = 0;
    for (start, end) in arguments(program) {
        let is_named = program[start..end].first().is_some_and(|cell| cell.symbol == key);
        let mut ends = ends_of_words(&program[start..end]).skip(last);
        if is_named
            && let (Some(left), Some(_)) = (ends.next(), ends.next())
            && reads_the_same(&program[start..end], left)
        {
            edited.extend_from_slice(&program[from..start + left]);
            from = end;
        }
    }
    edited.extend_from_slice(&program[from..]);
    (edited.len() < program.len()).then_some(edited)
}

/// Whether what is left of an argument before `end` has the pieces that it had. How words are divided that
/// `-` and `_` join depends on all of them, `post-2024` of `post-2024-12` would be two; but numbers are
/// divided from the left, and so is a day from its time.
fn reads_the_same(argument: &[Cell], end: usize) -> bool {
    let is_mark = |cell: &Cell| Lexicon::is_mark(cell.symbol);
    let joined = |cell: &&Cell| is_mark(cell) || !Lexicon::is_delimiter(cell.symbol);
    let mut before = argument[..end].iter().rev().take_while(joined);
    !argument.get(end).is_some_and(is_mark)
        || before.all(|cell| is_mark(cell) || Lexicon::is_number(cell.symbol))
}

/// The places behind the words of an argument's value; none where it is no `name=value`.
fn ends_of_words(argument: &[Cell]) -> impl Iterator<Item = usize> {
    let equals = Lexicon::delimiter("=");
    let is_value = argument.get(1).is_some_and(|cell| Some(cell.symbol) == equals);
    let value = if is_value { 2..argument.len() } else { 0..0 };
    value.filter(|place| !Lexicon::is_delimiter(argument[*place].symbol)).map(|place| place + 1)
}

/// All cuts that change one of these programs. Linear in their length.
pub fn cuts<'p>(programs: impl Iterator<Item = &'p [Cell]>) -> Vec<Edit> {
    let mut longest: FxHashMap<Symbol, usize> = FxHashMap::default();
    for program in programs {
        for (start, end) in arguments(program) {
            let argument = &program[start..end];
            let Some(name) = argument.first().filter(|cell| Lexicon::is_word(cell.symbol)) else {
                continue;
            };
            let words = ends_of_words(argument).count();
            let longest = longest.entry(name.symbol).or_default();
            *longest = words.max(*longest);
        }
    }
    let cuts = |(key, words): (Symbol, usize)| {
        (1..words.min(MOST_WORDS + 1)).map(move |left| Edit::CutValue(key, left as u16))
    };
    let mut cuts: Vec<Edit> = longest.into_iter().flat_map(cuts).collect();
    cuts.sort_unstable();
    cuts
}

#[cfg(test)]
mod tests {
    use undust_url::lexicon::FrequencyThresholds;

    use super::*;
    use crate::literals::Literals;
    use crate::program::{TextSource, copy};
    use crate::spell::spell;

    fn lexicon() -> Lexicon {
        let urls: Vec<String> = (0..3).map(|n| format!("http://x.com/{n}?from=1&to=2")).collect();
        Lexicon::learn(urls.iter().map(String::as_str), FrequencyThresholds { word: 1.0, key: 0.0 })
    }

    fn key(name: &str) -> Symbol {
        lexicon().key(name).expect("a name")
    }

    /// A URL as a program, and the texts of its pieces.
    fn read(url: &str) -> (Program, Vec<&str>) {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        lexicon().read(url, &mut shape, &mut texts);
        (copy(&shape), texts)
    }

    /// What cutting `name` makes of a URL.
    fn after(url: &str, name: &str, words: usize) -> Option<String> {
        let (program, texts) = read(url);
        let edited = cut(&program, key(name), words)?;
        let text = |cell: &Cell| match cell.text {
            TextSource::Source(place) => texts[usize::from(place)],
            TextSource::Literal(_) => "!",
        };
        Some(edited.iter().map(text).collect())
    }

    #[test]
    fn a_value_is_cut_behind_a_word() {
        let url = "http://x.com/?from=2024-12-01T20%3A25&to=a.b&from=a:b:c:d#e";
        let cut = |words| after(url, "from", words).unwrap_or_default();
        assert_eq!(cut(3), "http://x.com/?from=2024-12-01&to=a.b&from=a:b:c#e");
        assert_eq!(cut(1), "http://x.com/?from=2024&to=a.b&from=a#e");
        assert_eq!(after(url, "from", 4), None);
        assert_eq!(after(url, "to", 1).as_deref(), Some(&*url.replace("a.b", "a")));
    }

    #[test]
    fn what_has_no_more_words_is_left() {
        for url in [
            "http://x.com/?from=a-b",
            "http://x.com/?from",
            "http://x.com/?from=a..",
            "http://x.com/?from:a:b",
            "http://x.com/from=a.b",
            "http://x.com/?x=from=a.b",
        ] {
            assert_eq!(after(url, "from", 1), None, "{url}");
            assert_eq!(after(url, "from", 0), None, "{url}");
        }
    }

    /// In `post-2024-12` only the 12 can be cut.
    #[test]
    fn what_is_left_is_read_as_it_was() {
        assert_eq!(after("http://x.com/?from=post-2024-12", "from", 1), None);
        assert_eq!(after("http://x.com/?from=x.post-2024-12", "from", 2), None);
        let (form, url) = ("http://x.com/?from=a.2024-12", "http://x.com/?from=a.2024-12-01");
        assert_eq!(after(url, "from", 3).as_deref(), Some(form));
        assert_eq!(
            after("http://x.com/?from=112-green-shoes.b-5", "from", 2).as_deref(),
            Some("http://x.com/?from=112-green-shoes")
        );
    }

    #[test]
    fn every_cut_is_proposed_up_to_a_number_of_words() {
        let (program, _) = read("http://x.com/?from=a.b.c.d.e.f.g.h.i.j.k&to=1.2&new=1.2");
        let from = (1..=MOST_WORDS as u16).map(|words| Edit::CutValue(key("from"), words));
        let mut all: Vec<Edit> = from.chain([Edit::CutValue(key("to"), 1)]).collect();
        all.sort_unstable();
        assert_eq!(cuts([program.as_slice()].into_iter()), all);
    }

    /// `gate.json` may hold any number.
    #[test]
    fn what_a_model_says_may_make_no_sense() {
        let (program, _) = read("http://x.com/?from=a.b&to=1.2");
        for (key, words) in [(Symbol::MAX, 1), (0, 1), (key("from"), 0), (key("from"), u16::MAX)] {
            let edit = Edit::CutValue(key, words);
            assert_eq!(edit.apply(&program), None);
            assert!(spell(&edit, &lexicon(), &Literals::default()).starts_with("cut ?"));
        }
    }
}
