//! How the pieces of a canonical URL follow from those of its source: which are kept, and what is
//! inserted between them.

use undust_util::op_counter;

/// How a source becomes its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment<'t> {
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
/// at the end. So equal changes are aligned alike. Quadratic in the number of pieces.
pub fn align<'t>(source: &[&str], target: &'t str, pieces: &[&str]) -> Alignment<'t> {
    if source == pieces {
        return Alignment { keep: vec![true; source.len()], insert: Vec::new() };
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
    fn walk<'t>(&self, target: &'t str) -> Alignment<'t> {
        let mut edits = Alignment { keep: vec![false; self.source.len()], insert: Vec::new() };
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
fn close<'t>(edits: &mut Alignment<'t>, run: Option<(usize, usize)>, written: &'t str) {
    if let Some((place, start)) = run
        && start < written.len()
    {
        edits.insert.push((place, &written[start..]));
    }
}

#[cfg(test)]
mod tests {
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
}
