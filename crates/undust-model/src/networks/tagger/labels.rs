//! What a pair of URLs teaches: which pieces of the source stay, and what is written before
//! them (Malmi et al., *Encode, Tag, Realize*, EMNLP 2019).

use undust_util::op_counter;

/// What becomes of one piece of a source. Behind the last piece stands one more tag, which only
/// inserts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    /// Whether the piece stays.
    pub keep: bool,
    /// What is inserted before it: nothing for 0, else the phrase of this number, from 1.
    pub insert: u16,
}

impl Tag {
    /// Changes nothing.
    pub const KEEP: Self = Self { keep: true, insert: 0 };
}

/// How a source becomes its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagAlignment<'t> {
    /// By piece of the source: whether it stays.
    pub keep: Vec<bool>,
    /// Texts of the target, each with the piece of the source, or the end, that it is inserted
    /// before; ascending.
    pub insert: Vec<(usize, &'t str)>,
}

/// What keeping a piece is worth; a run of changed pieces costs 1. So most pieces are kept, and
/// of the ways to do that, the one with the fewest runs is taken.
const KEPT: i32 = 1 << 12;

/// Worth less than any way to the end.
const IMPOSSIBLE: i32 = i32::MIN / 2;

/// Aligns the pieces of a source with those of `target`, cut into `pieces`, by a longest common
/// subsequence.
///
/// Where several are equally long, that with the fewest runs of changed pieces counts, and of
/// these the one that changes first: of `&b=1&` in the middle of a query goes `&b=1`, as it does
/// at the end. So equal changes get equal tags. Quadratic in the number of pieces.
pub fn align<'t>(source: &[&str], target: &'t str, pieces: &[&str]) -> TagAlignment<'t> {
    if source == pieces {
        return TagAlignment { keep: vec![true; source.len()], insert: Vec::new() };
    }
    Table::new(source, pieces).walk(target)
}

/// The worth of the best way from each pair of places to the end.
struct Table<'a> {
    source: &'a [&'a str],
    target: &'a [&'a str],
    /// By place in the source, in the target, and whether a run of changes is open.
    best: Vec<[i32; 2]>,
}

impl<'a> Table<'a> {
    fn new(source: &'a [&'a str], target: &'a [&'a str]) -> Self {
        let best = vec![[IMPOSSIBLE; 2]; (source.len() + 1) * (target.len() + 1)];
        op_counter::count(best.len());
        let mut table = Self { source, target, best };
        for from in (0..=source.len()).rev() {
            for to in (0..=target.len()).rev() {
                let worth = if (from, to) == (source.len(), target.len()) {
                    [0, 0]
                } else {
                    let (changed, kept) = (table.changed(from, to), table.kept(from, to));
                    [kept.max(changed - 1), kept.max(changed)]
                };
                table.best[from * (target.len() + 1) + to] = worth;
            }
        }
        table
    }

    fn at(&self, from: usize, to: usize) -> [i32; 2] {
        self.best[from * (self.target.len() + 1) + to]
    }

    /// The worth of the rest, if the next pieces are the same and kept.
    fn kept(&self, from: usize, to: usize) -> i32 {
        match (self.source.get(from), self.target.get(to)) {
            (Some(a), Some(b)) if a == b => KEPT + self.at(from + 1, to + 1)[0],
            _ => IMPOSSIBLE,
        }
    }

    /// The worth of the rest, if a piece is deleted or inserted in an open run.
    fn changed(&self, from: usize, to: usize) -> i32 {
        self.deleted(from, to).max(self.inserted(from, to))
    }

    fn deleted(&self, from: usize, to: usize) -> i32 {
        if from < self.source.len() { self.at(from + 1, to)[1] } else { IMPOSSIBLE }
    }

    fn inserted(&self, from: usize, to: usize) -> i32 {
        if to < self.target.len() { self.at(from, to + 1)[1] } else { IMPOSSIBLE }
    }

    /// Along the best way. What is inserted in a run of changes stands before the first piece
    /// that the run deletes.
    fn walk<'t>(&self, target: &'t str) -> TagAlignment<'t> {
        let mut edits = TagAlignment { keep: vec![false; self.source.len()], insert: Vec::new() };
        let (mut from, mut to, mut at) = (0, 0, 0);
        let mut run: Option<(usize, usize)> = None;
        while (from, to) != (self.source.len(), self.target.len()) {
            let opening = i32::from(run.is_none());
            if self.changed(from, to) - opening < self.kept(from, to) {
                close(&mut edits, run.take(), &target[..at]);
                edits.keep[from] = true;
                at += self.target[to].len();
                (from, to) = (from + 1, to + 1);
                continue;
            }
            run.get_or_insert((from, at));
            if self.deleted(from, to) >= self.inserted(from, to) {
                from += 1;
            } else {
                at += self.target[to].len();
                to += 1;
            }
        }
        close(&mut edits, run, &target[..at]);
        edits
    }
}

/// Ends a run of changes that began at this place of the source and this byte of the target.
fn close<'t>(edits: &mut TagAlignment<'t>, run: Option<(usize, usize)>, written: &'t str) {
    if let Some((place, start)) = run
        && start < written.len()
    {
        edits.insert.push((place, &written[start..]));
    }
}

/// Applies the tags of a source to the texts of its pieces. Linear.
pub(crate) fn apply(texts: &[&str], tags: &[Tag], phrases: &[String]) -> String {
    let mut written = String::with_capacity(texts.iter().map(|text| text.len()).sum());
    for (place, tag) in tags.iter().enumerate() {
        let phrase = usize::from(tag.insert).checked_sub(1).and_then(|n| phrases.get(n));
        written.push_str(phrase.map_or("", String::as_str));
        if tag.keep {
            written.push_str(texts.get(place).unwrap_or(&""));
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use undust_url::pieces::pieces;

    use super::*;

    fn cut(url: &str) -> Vec<&str> {
        pieces(url).map(|piece| piece.text).collect()
    }

    /// Deleted pieces in brackets, inserted texts in braces.
    fn edits(source: &str, target: &str) -> String {
        let texts = cut(source);
        let edits = align(&texts, target, &cut(target));
        let mut spelled = String::new();
        for place in 0..=texts.len() {
            for (_, phrase) in edits.insert.iter().filter(|(at, _)| *at == place) {
                spelled.push_str(&format!("{{{phrase}}}"));
            }
            match (texts.get(place), edits.keep.get(place)) {
                (Some(text), Some(true)) => spelled.push_str(text),
                (Some(text), _) => spelled.push_str(&format!("[{text}]")),
                _ => {}
            }
        }
        spelled
    }

    #[test]
    fn an_argument_goes_with_the_mark_before_it() {
        assert_eq!(edits("/a?b=1", "/a"), "/a[?][b][=][1]");
        assert_eq!(edits("/a?b=1&c=2&d=3", "/a?b=1&d=3"), "/a?b=1[&][c][=][2]&d=3");
        assert_eq!(edits("/a?b=1&c=2", "/a?b=1"), "/a?b=1[&][c][=][2]");
        assert_eq!(edits("/a?b=1&c=2", "/a?c=2"), "/a?[b][=][1][&]c=2");
    }

    #[test]
    fn words_are_replaced_where_they_stood() {
        assert_eq!(edits("/people/olga/x", "/~olga/x"), "/{~}[people][/]olga/x");
        assert_eq!(edits("/a/index.html", "/a/"), "/a/[index][.][html]");
        assert_eq!(edits("/a", "/a/"), "/a{/}");
        assert_eq!(edits("http://www.x.com/a", "https://x.com/a"), HOST);
        assert_eq!(edits("/wiki?title=Foo", "/wiki/Foo"), "/wiki{/}[?][title][=]Foo");
    }

    const HOST: &str = "{https}[http]://{x.com}[www.x.com]/a";

    #[test]
    fn a_repeated_word_is_kept_where_fewest_runs_change() {
        assert_eq!(edits("/a/x/a/x", "/a/x"), "[/][a][/][x]/a/x");
        assert_eq!(edits("/a/b/c", "/a/c"), "/a[/][b]/c");
    }

    #[test]
    fn what_moves_is_deleted_and_inserted() {
        assert_eq!(edits("/a?p=X&q=Y", "/a?q=Y&p=X"), "/a?[p][=][X][&]q=Y{&p=X}");
    }

    proptest! {
        #[test]
        fn the_edits_of_a_pair_make_its_target(
            source in "(http://h|)[/ab1.?=&-]{0,16}",
            target in "(http://h|)[/ab1.?=&-]{0,16}",
        ) {
            let texts = cut(&source);
            let edits = align(&texts, &target, &cut(&target));
            let phrases: Vec<String> = edits.insert.iter().map(|(_, text)| (*text).to_owned()).collect();
            let mut tags: Vec<Tag> = edits.keep.iter().map(|keep| Tag { keep: *keep, insert: 0 }).collect();
            tags.push(Tag::KEEP);
            for (number, (place, _)) in (1..).zip(&edits.insert) {
                prop_assert_eq!(tags[*place].insert, 0);
                tags[*place].insert = number;
            }
            prop_assert_eq!(apply(&texts, &tags, &phrases), target);
        }
    }
}
