//! A pattern of anchors and gaps.

use std::fmt;
use std::str::FromStr;

use memchr::memmem;

use super::units::{Neighbour, Unit, UnitKind, is_cut, units};

/// Most bytes of a pattern.
const MAX_LENGTH: usize = 1024;

/// The common pattern of the values of a key: literal text, and gaps of one byte or more. Written
/// `profile-*-Austria_*.html`; a literal `*` or `\` is escaped by `\`.
///
/// A gap must not cut a run of letters or digits: `tt*` matches `tt42` but not `ttx`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeepPattern {
    /// The text before, between and after the gaps. Only the first and the last may be empty.
    /// There is at least one.
    literals: Vec<String>,
}

impl DeepPattern {
    /// The pattern `*`.
    pub(super) fn any() -> Self {
        Self { literals: vec![String::new(), String::new()] }
    }

    /// Whether `text` has this pattern. Literals are searched from the left, so every gap is as
    /// short as possible. Linear in `text` for patterns of a bounded length.
    pub fn fits(&self, text: &str) -> bool {
        self.gaps(text).is_some()
    }

    /// The spans of the gaps in `text`.
    pub(super) fn gaps(&self, text: &str) -> Option<Vec<(usize, usize)>> {
        let (first, rest) = self.literals.split_first()?;
        let Some((last, middle)) = rest.split_last() else {
            return (first == text).then(Vec::new);
        };
        if !text.starts_with(first.as_str()) || !text.ends_with(last.as_str()) {
            return None;
        }
        // `first` and `last` may overlap in a short `text`. Then `find`, or the last gap, fails.
        let end = text.len() - last.len();
        let mut start = first.len();
        let mut gaps = Vec::with_capacity(rest.len());
        for literal in middle {
            let at = find(text.get(..end)?, start, literal)?;
            gaps.push((start, at));
            start = at + literal.len();
        }
        gaps.push((start, end));
        let cut = |at: usize| is_cut(&text[..at], &text[at..]);
        let is_gap = |(from, to): &(usize, usize)| from < to && cut(*from) && cut(*to);
        gaps.iter().all(is_gap).then_some(gaps)
    }

    /// The deep tokens of `text`, in order: the anchors and delimiters of the literal text, and
    /// the text in the gaps, cut at the delimiters on either side of its gap. All together are
    /// `text`. None if `text` does not fit.
    pub fn tokens<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let gaps = self.gaps(text)?;
        let mut tokens = Vec::new();
        let mut at = 0;
        for (index, (start, end)) in gaps.into_iter().enumerate() {
            tokens.extend(units(&text[at..start]).map(|unit| unit.text));
            cut_at(&text[start..end], self.delimiters(index), &mut tokens);
            at = end;
        }
        tokens.extend(units(&text[at..]).map(|unit| unit.text));
        Some(tokens)
    }

    /// The delimiters on either side of a gap.
    fn delimiters(&self, gap: usize) -> [Option<&str>; 2] {
        let before = units(&self.literals[gap]).last();
        let after = units(&self.literals[gap + 1]).next();
        let delimiter = |unit: Unit<'_>| unit.kind == UnitKind::Delimiter;
        [before.filter(|u| delimiter(*u)), after.filter(|u| delimiter(*u))]
            .map(|unit| unit.map(|unit| unit.text))
    }

    /// This pattern with the given spans of `text`, and the delimiters around them, made
    /// literal. The spans must be sorted and inside the gaps. None without spans, if no gap
    /// would be left, or if `text` would not fit.
    pub(super) fn narrow(&self, text: &str, anchors: &[(usize, usize)]) -> Option<Self> {
        if anchors.is_empty() {
            return None;
        }
        let mut literals = vec![String::new()];
        let mut at = 0;
        for (start, end) in free(text, &self.gaps(text)?, anchors) {
            if let Some(last) = literals.last_mut() {
                last.push_str(&text[at..start]);
            }
            literals.push(String::new());
            at = end;
        }
        if let Some(last) = literals.last_mut() {
            last.push_str(&text[at..]);
        }
        let narrower = Self { literals };
        (narrower.literals.len() > 1 && narrower.fits(text)).then_some(narrower)
    }
}

/// The gaps without the anchors and without one delimiter on each side of them.
fn free(text: &str, gaps: &[(usize, usize)], anchors: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut left = Vec::new();
    for &(gap, end) in gaps {
        let mut start = gap;
        for &(from, to) in anchors.iter().filter(|(from, to)| gap <= *from && *to <= end) {
            let before = match Neighbour::before(text, from) {
                Neighbour::Delimiter(delimiter) => from - delimiter.len(),
                _ => from,
            };
            left.push((start, before.max(start)));
            start = match Neighbour::after(text, to) {
                Neighbour::Delimiter(delimiter) => to + delimiter.len(),
                _ => to,
            };
        }
        left.push((start.min(end), end));
    }
    left.retain(|(start, end)| start < end);
    left
}

/// The first position of `literal` after a gap of one byte or more from `start`, with a cut on both
/// sides.
fn find(text: &str, start: usize, literal: &str) -> Option<usize> {
    let finder = memmem::Finder::new(literal);
    let mut from = start + 1;
    loop {
        let at = from + finder.find(text.as_bytes().get(from..)?)?;
        let end = at + literal.len();
        // Slicing is safe: a match of valid UTF-8 begins and ends between characters.
        if is_cut(&text[..at], &text[at..]) && is_cut(&text[..end], &text[end..]) {
            return Some(at);
        }
        from = at + 1;
    }
}

fn cut_at<'t>(mut text: &'t str, delimiters: [Option<&str>; 2], tokens: &mut Vec<&'t str>) {
    let next = |text: &str| {
        let found = delimiters.iter().flatten().filter_map(|d| Some((text.find(*d)?, d.len())));
        found.min()
    };
    while let Some((at, length)) = next(text) {
        tokens.extend(Some(&text[..at]).filter(|token| !token.is_empty()));
        tokens.push(&text[at..at + length]);
        text = &text[at + length..];
    }
    tokens.extend(Some(text).filter(|token| !token.is_empty()));
}

impl fmt::Display for DeepPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, literal) in self.literals.iter().enumerate() {
            f.write_str(if index > 0 { "*" } else { "" })?;
            for char in literal.chars() {
                f.write_str(if matches!(char, '*' | '\\') { "\\" } else { "" })?;
                write!(f, "{char}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for DeepPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.len() > MAX_LENGTH {
            return Err(format!("a pattern of more than {MAX_LENGTH} bytes"));
        }
        let mut literals = vec![String::new()];
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            match char {
                '*' if literals.len() > 1 && literals.last().is_some_and(String::is_empty) => {
                    return Err(format!("`{text}` has two `*` without text between them"));
                }
                '*' => literals.push(String::new()),
                '\\' => match chars.next().filter(|next| matches!(next, '*' | '\\')) {
                    Some(next) => push(&mut literals, next),
                    None => return Err(format!("`\\` in `{text}` escapes neither `*` nor `\\`")),
                },
                char => push(&mut literals, char),
            }
        }
        Ok(Self { literals })
    }
}

fn push(literals: &mut [String], char: char) {
    if let Some(last) = literals.last_mut() {
        last.push(char);
    }
}

impl serde::Serialize for DeepPattern {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for DeepPattern {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
