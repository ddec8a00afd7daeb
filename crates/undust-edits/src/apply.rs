//! What edits do to programs.

use undust_url::lexicon::{Lexicon, Symbol};

use super::cut::cut;
use super::edit::{Edit, SINGLE};
use super::program::{
    Cell, DELIMITERS, FRONT, MOST_PIECES, Program, QUESTION, STAR, STARRED, TextSource, arguments,
    path_end,
};
use super::replacement::{DROPPED, ReplacementPiece, matches};

impl Edit {
    /// Applies it; `None` if that changes nothing, would leave the server that the URL names, would make one word of
    /// two, or would write an argument that is there already. Cost: the program's length, times that of what is
    /// replaced.
    pub fn apply(&self, program: &[Cell]) -> Option<Program> {
        let is_sound = |edited: &Program| {
            keeps_server(program, edited)
                && !joins_words(program, edited)
                && (self.kind() < SINGLE || !repeats_an_argument(program, edited))
        };
        self.edited(program, program).filter(is_sound)
    }

    /// Values are those of `url`: what one edit of several drops from the query another may write into the path.
    fn edited(&self, program: &[Cell], url: &[Cell]) -> Option<Program> {
        match self {
            Self::DropKey(key) => drop_key(program, *key, None),
            Self::DropArgument(key, value) => drop_key(program, *key, Some(value)),
            Self::CutValue(key, words) => cut(program, *key, usize::from(*words)),
            Self::Replace { from, to } => replace(program, from, to, url),
            Self::DropSlot(place) => drop_slot(program, usize::from(*place)),
            Self::DropPath => drop_path(program),
            Self::Joint(edits) => {
                let mut edited = program.to_vec();
                // From the right, so that earlier places stay valid.
                for edit in edits.iter().rev() {
                    edited = edit.edited(&edited, url)?;
                }
                // What one moves to the front another may move back.
                (edited != program).then_some(edited)
            }
        }
    }
}

/// Whether two words become neighbours that were none: they would be read as one. From
/// `/en/1?uri=de`, an edit that drops `/1?uri=` makes `/ende`.
fn joins_words(before: &[Cell], edited: &[Cell]) -> bool {
    let is_word = |cell: &Cell| !Lexicon::is_delimiter(cell.symbol);
    let stood = |pair: &[Cell]| before.windows(2).any(|other| other == pair);
    edited.windows(2).any(|pair| pair.iter().all(is_word) && !stood(pair))
}

/// Whether an argument stands twice that stood once. Of `?tag=a&tag=b`, an edit that writes `a` for `b` makes what is
/// the form of `?tag=a&tag=a`, too.
fn repeats_an_argument(before: &[Cell], edited: &[Cell]) -> bool {
    let is_same = |one: &Cell, other: &Cell| {
        one.symbol == other.symbol && (!Lexicon::is_argument(one.symbol) || one.text == other.text)
    };
    let repeats = |program: &[Cell]| {
        let all: Vec<&[Cell]> =
            arguments(program).into_iter().map(|(start, end)| &program[start..end]).collect();
        let is_one = |one: &[Cell], other: &&[Cell]| {
            one.len() == other.len()
                && one.iter().zip(*other).all(|(one, other)| is_same(one, other))
        };
        all.iter().enumerate().any(|(at, one)| all[..at].iter().any(|other| is_one(one, other)))
    };
    repeats(edited) && !repeats(before)
}

/// Whether a form has the scheme and host of its URL, or others that the edit names as a whole, and
/// ends them where its URL does. A value next to the host would become a part of it: from
/// `/1?uri=.evil.test`, an edit that drops `/1?uri=` makes another host.
fn keeps_server(before: &[Cell], edited: &[Cell]) -> bool {
    let end = |program: &[Cell]| program.get(FRONT - 1).map(|cell| cell.symbol);
    let is_kept = |(before, edited): (&Cell, &Cell)| {
        before == edited || matches!(edited.text, TextSource::Literal(number) if number != STAR)
    };
    let (Some(origin), Some(kept)) = (before.get(..FRONT - 1), edited.get(..FRONT - 1)) else {
        return false;
    };
    origin.iter().zip(kept).all(is_kept) && end(before) == end(edited)
}

fn drop_key(program: &[Cell], key: Symbol, value: Option<&[Symbol]>) -> Option<Program> {
    let arguments = arguments(program);
    let named = |place: usize| program.get(place).is_some_and(|cell| cell.symbol == key);
    let is_dropped = |(start, end): &(usize, usize)| {
        let equals = program.get(start + 1).is_some_and(|cell| cell.symbol == DELIMITERS.equals);
        let of_value = |value: &[Symbol]| {
            equals && program[start + 2..*end].iter().map(|cell| &cell.symbol).eq(value)
        };
        named(*start) && (*end == start + 1 || equals) && value.is_none_or(of_value)
    };
    if !arguments.iter().any(is_dropped) {
        return None;
    }
    let (first, last) = (arguments.first()?.0, arguments.last()?.1);
    let mut edited = program[..first - 1].to_vec();
    let mut mark = program[first - 1];
    for argument in arguments.iter().filter(|argument| !is_dropped(argument)) {
        edited.push(mark);
        edited.extend_from_slice(&program[argument.0..argument.1]);
        mark = program.get(argument.1).copied().unwrap_or(mark);
        if mark.symbol == DELIMITERS.hash || argument.1 == last {
            mark = Cell::new(DELIMITERS.and, mark.text);
        }
    }
    edited.extend_from_slice(&program[last..]);
    Some(edited)
}

fn replace(
    program: &[Cell],
    from: &[Symbol],
    to: &[ReplacementPiece],
    url: &[Cell],
) -> Option<Program> {
    // Nothing stands everywhere, without end. Only a saved edit may ask for it.
    if from.is_empty() {
        return None;
    }
    let mut edited = Vec::with_capacity(program.len());
    let (mut at, mut changed) = (0, false);
    while at < program.len() {
        if !matches(program, at, from) {
            edited.push(program[at]);
            at += 1;
            continue;
        }
        for piece in to {
            // Edits of edits would double it without end.
            if edited.len() > LONGEST {
                return None;
            }
            match piece {
                ReplacementPiece::Literal(DROPPED, _) => edited.push(STARRED),
                ReplacementPiece::Literal(symbol, number) => {
                    edited.push(Cell::new(*symbol, TextSource::Literal(*number)));
                }
                ReplacementPiece::Keep(offset) => {
                    edited.extend(program.get(at + usize::from(*offset)));
                }
                ReplacementPiece::Value(key) => {
                    edited.extend_from_slice(&url[value(url, *key)?]);
                }
            }
        }
        changed = true;
        at += from.len();
    }
    let edited = with_question(program, edited);
    (changed && edited != program).then_some(edited)
}

/// Most pieces that an edit may make of a URL's: more than any real one does.
const LONGEST: usize = 4 * MOST_PIECES;

/// Where an edit took the `?` away and arguments are left, the first begins the query. An `&` or `;` of
/// the path begins none.
fn with_question(before: &[Cell], mut edited: Program) -> Program {
    let question =
        |program: &[Cell]| program.iter().position(|cell| cell.symbol == DELIMITERS.question);
    let Some(at) = question(before).filter(|_| question(&edited).is_none()) else { return edited };
    let parts = |cell: &Cell| cell.symbol == DELIMITERS.and || cell.symbol == DELIMITERS.semicolon;
    let mark = edited.iter_mut().find(|cell| parts(cell) && before[at..].contains(cell));
    if let Some(mark) = mark {
        *mark = Cell::new(DELIMITERS.question, TextSource::Literal(QUESTION));
    }
    edited
}

/// The place of an argument's value.
fn value(program: &[Cell], key: Symbol) -> Option<std::ops::Range<usize>> {
    let named = |(start, end): &(usize, usize)| {
        program[*start..*end].first().is_some_and(|cell| cell.symbol == key)
    };
    let (start, end) = arguments(program).into_iter().find(named)?;
    let is = program.get(start + 1).filter(|cell| cell.symbol == DELIMITERS.equals);
    is.filter(|_| start + 2 <= end).map(|_| start + 2..end)
}

fn drop_slot(program: &[Cell], place: usize) -> Option<Program> {
    let cell = program[..path_end(program)].get(place)?;
    if Lexicon::is_delimiter(cell.symbol) || cell.text == TextSource::Literal(STAR) {
        return None;
    }
    let mut edited = program.to_vec();
    edited[place] = STARRED;
    Some(edited)
}

fn drop_path(program: &[Cell]) -> Option<Program> {
    let end = path_end(program);
    let front = program.get(..FRONT)?;
    if end <= FRONT || end == program.len() || program[FRONT].text == TextSource::Literal(STAR) {
        return None;
    }
    Some(front.iter().copied().chain([STARRED]).chain(program[end..].iter().copied()).collect())
}

#[cfg(test)]
mod tests {
    use undust_url::lexicon::FrequencyThresholds;

    use undust_url::lexicon::EDGE;

    use super::*;
    use crate::program::copy;
    use crate::replacement::WORD;

    /// A URL as a program, and the texts of its pieces.
    fn read(url: &str) -> (Program, Vec<&str>) {
        let urls = (0..3).map(|n| format!("http://x.com/w/index.php?title={n}&page=2"));
        let urls: Vec<String> = urls.collect();
        let shares = FrequencyThresholds { word: 1.0, key: 0.0 };
        let lexicon = Lexicon::learn(urls.iter().map(String::as_str), shares);
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        lexicon.read(url, &mut shape, &mut texts);
        (copy(&shape), texts)
    }

    fn delimiter(mark: &str) -> Symbol {
        Lexicon::delimiter(mark).expect("a delimiter")
    }

    #[test]
    fn a_dropped_piece_is_not_the_end() {
        let (program, _) = read("http://x.com/7/8");
        let starred = drop_slot(&program, 6).expect("a piece of the path");
        let [end, dropped] = [EDGE, DROPPED].map(|last| [WORD, delimiter("/"), last]);
        assert!(matches(&starred, 4, &dropped) && !matches(&starred, 4, &end));
        let (program, _) = read("http://x.com/7/");
        assert!(matches(&program, 4, &end) && !matches(&program, 4, &dropped));
    }

    /// Without `/w/index.php`, the value that follows it would be a part of the host; without `/w`, the path that is
    /// left begins with a slash.
    #[test]
    fn a_host_ends_where_it_did() {
        let (program, _) = read("http://x.com/w/index.php?title=7&page=2");
        let dropped = |from: usize, to: usize| {
            let from: Vec<Symbol> = program[from..to].iter().map(|cell| cell.symbol).collect();
            Edit::Replace { from: from.into(), to: [].into() }
        };
        assert_eq!(dropped(3, program.len() - 1).apply(&program), None);
        assert_eq!(dropped(2, 3).apply(&program), None);
        // `wphp?title=7`: two words would be one.
        assert_eq!(dropped(5, 8).apply(&program), None);
        let left = dropped(3, 5).apply(&program).expect("a path");
        assert_eq!(left, [&program[..3], &program[5..]].concat());
    }

    /// `?tag=a&tag=b` and `?tag=b&tag=a` would get the form of `?tag=a&tag=a`, which may be another page.
    #[test]
    fn no_argument_is_written_twice() {
        let tags = |tags: &[&str]| format!("http://x.com/?{}", tags.join("&"));
        let urls: Vec<String> =
            (0..9).flat_map(|_| [tags(&["tag=a", "tag=b"]), tags(&["tag=b"])]).collect();
        let shares = FrequencyThresholds { word: 0.1, key: 0.1 };
        let lexicon = Lexicon::learn(urls.iter().map(String::as_str), shares);
        let program = |url: &str| {
            let (mut shape, mut texts) = (Vec::new(), Vec::new());
            lexicon.read(url, &mut shape, &mut texts);
            copy(&shape)
        };
        let both = program(&tags(&["tag=a", "tag=b"]));
        let [(tag, first), (_, second)] = arguments(&both)[..] else { panic!("two arguments") };
        let [tag, equals] = [tag, tag + 1].map(|place| both[place].symbol);
        let [a, b] = [first, second].map(|end| both[end - 1].symbol);
        assert!(Lexicon::is_word(a) && Lexicon::is_word(b));
        let writes = |from: Symbol, to: Symbol| Edit::Replace {
            from: [tag, equals, from].into(),
            to: [
                ReplacementPiece::Keep(0),
                ReplacementPiece::Keep(1),
                ReplacementPiece::Literal(to, 7),
            ]
            .into(),
        };
        let in_two_orders = Edit::Joint([writes(b, a), writes(a, b)].into());
        for edit in [writes(b, a), writes(a, b), in_two_orders] {
            assert_eq!(edit.apply(&both), None, "{edit:?}");
        }
        assert!(writes(b, a).apply(&program(&tags(&["tag=b"]))).is_some());
    }

    /// `/index.php?title=A → /A` leaves the other arguments a query of their own.
    #[test]
    fn only_what_began_an_argument_begins_the_query() {
        let into_path = |url: &str| {
            let (program, texts) = read(url);
            let title = texts.iter().position(|text| *text == "title").expect("a name");
            let from = [title - 1, title, title + 1].map(|place| program[place].symbol);
            let to = [ReplacementPiece::Literal(delimiter("/"), 7)];
            let edited = replace(&program, &from, &to, &program).expect("an edit");
            let text = |cell: &Cell| match cell.text {
                TextSource::Source(place) => texts[usize::from(place)],
                TextSource::Literal(QUESTION) => "?",
                TextSource::Literal(_) => "/",
            };
            edited.iter().map(text).collect::<String>()
        };
        for (url, form) in [
            ("http://x.com/w/index.php?title=7&page=3", "http://x.com/w/index.php/7?page=3"),
            ("http://x.com/w/index.php?title=7;page=3", "http://x.com/w/index.php/7?page=3"),
            ("http://x.com/w;page=2/index.php?title=7", "http://x.com/w;page=2/index.php/7"),
            ("http://x.com/a&b/?title=7&page=3", "http://x.com/a&b//7?page=3"),
        ] {
            assert_eq!(into_path(url), form);
        }
    }
}
