//! Values of the query, cut short: all times of a day show the same in
//! `from=2024-12-01T20:25`, and all of a document's parts in `id=wiki:syntax:links`.

use rustc_hash::FxHashMap;

use super::edit::{Cell, Edit, Program, arguments};
use crate::url::lexicon::{Lexicon, Symbol};

/// Most words of a value that are left.
const MOST_WORDS: usize = 8;

/// Cuts the values of an argument behind so many of their words; none where no value has more.
pub(super) fn cut(program: &[Cell], key: Symbol, words: usize) -> Option<Program> {
    let last = words.checked_sub(1)?;
    let mut edited = Program::with_capacity(program.len());
    let mut from = 0;
    for (start, end) in arguments(program) {
        let is_named = program[start..end].first().is_some_and(|cell| cell.symbol == key);
        let mut ends = ends_of_words(&program[start..end]).skip(last);
        if is_named && let (Some(left), Some(_)) = (ends.next(), ends.next()) {
            edited.extend_from_slice(&program[from..start + left]);
            from = end;
        }
    }
    edited.extend_from_slice(&program[from..]);
    (edited.len() < program.len()).then_some(edited)
}

/// The places behind the words of an argument's value; none where it is no `name=value`.
fn ends_of_words(argument: &[Cell]) -> impl Iterator<Item = usize> {
    let equals = Lexicon::delimiter("=");
    let is_value = argument.get(1).is_some_and(|cell| Some(cell.symbol) == equals);
    let value = if is_value { 2..argument.len() } else { 0..0 };
    value.filter(|place| !Lexicon::is_delimiter(argument[*place].symbol)).map(|place| place + 1)
}

/// All cuts that change one of these programs. Linear in their length.
pub(super) fn cuts<'p>(programs: impl Iterator<Item = &'p [Cell]>) -> Vec<Edit> {
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
    use super::*;
    use crate::edits::edit::{Text, copy};
    use crate::url::lexicon::Shares;

    /// What cutting `key` makes of a URL.
    fn after(url: &str, key: &str, words: usize) -> Option<String> {
        let urls: Vec<String> = (0..3).map(|n| format!("http://x.com/{n}?from=1&to=2")).collect();
        let lexicon =
            Lexicon::learn(urls.iter().map(String::as_str), Shares { word: 1.0, key: 0.0 });
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        lexicon.read(url, &mut shape, &mut texts);
        let edited = cut(&copy(&shape), lexicon.key(key).expect("a name"), words)?;
        let text = |cell: &Cell| match cell.text {
            Text::Source(place) => texts[usize::from(place)],
            Text::Literal(_) => "!",
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
            "http://x.com/from=a.b",
            "http://x.com/?x=from=a.b",
        ] {
            assert_eq!(after(url, "from", 1), None, "{url}");
            assert_eq!(after(url, "from", 0), None, "{url}");
        }
    }
}
