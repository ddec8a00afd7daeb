//! A form as parts of its URL: what follows one another there is copied at once.

use undust_url::lexicon::{Lexicon, Symbol};

use crate::program::{Cell, QUESTION, TextSource, arguments, copy, path_end};

/// A part of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputPart {
    /// The URL's pieces from one place to before another.
    Pieces(u16, u16),
    /// A literal.
    Literal(u16),
}

/// A program with the pieces that follow one another taken together.
pub(super) fn parts(program: &[Cell]) -> Vec<OutputPart> {
    let mut parts: Vec<OutputPart> = Vec::new();
    for cell in program {
        match (cell.text, parts.last_mut()) {
            (TextSource::Source(place), Some(OutputPart::Pieces(_, end))) if *end == place => {
                *end += 1
            }
            (TextSource::Source(place), _) => parts.push(OutputPart::Pieces(place, place + 1)),
            (TextSource::Literal(number), _) => parts.push(OutputPart::Literal(number)),
        }
    }
    parts
}

/// Whether a program leaves out arguments of a shape, and does nothing more. No where one of the
/// shape's arguments has no name, or not all are separated by `&`.
pub(super) fn leaves_out_arguments(shape: &[Symbol], program: &[Cell]) -> bool {
    let whole = copy(shape);
    let (path, all) = (path_end(&whole), arguments(&whole));
    let is = |place: usize, mark: &str| shape.get(place).copied() == Lexicon::delimiter(mark);
    let named = |(start, end): &(usize, usize)| (start + 1..*end).any(|place| is(place, "="));
    let separated = all.iter().skip(1).all(|(start, _)| is(start - 1, "&"));
    if !separated || !all.iter().all(named) || all.last().is_none_or(|(_, end)| *end != shape.len())
    {
        return false;
    }
    let Some((front, mut query)) = program.split_at_checked(path) else { return false };
    let (mut left, mut mark) = (all.into_iter(), "?");
    while let [first, rest @ ..] = query {
        // The argument that the next pieces are, behind its mark.
        let is_next =
            |(start, end): &(usize, usize)| rest.get(..end - start) == whole.get(*start..*end);
        let Some((start, end)) = left.find(is_next) else { return false };
        let is_first = mark == "?" && first.text == TextSource::Literal(QUESTION);
        if !is_first && Some(first.symbol) != Lexicon::delimiter(mark) {
            return false;
        }
        (query, mark) = (&rest[end - start..], "&");
    }
    front == &whole[..path] && program.len() < shape.len()
}

#[cfg(test)]
mod tests {
    use undust_url::lexicon::FrequencyThresholds;

    use super::*;
    use crate::known_values::tests::read;

    #[test]
    fn a_form_that_leaves_out_arguments_is_told_from_others() {
        let all = FrequencyThresholds { word: 0.0, key: 0.0 };
        let listed =
            ["http://a.test/b?c=1&d=2&e=3", "http://a.test/b?c=1&d=2&e=3", "http://x.test/"];
        let lexicon = Lexicon::learn(listed.into_iter().cycle().take(9), all);
        let leaves_out = |url: &str, form: &str| {
            let ((shape, texts), (form, written)) = (read(&lexicon, url), read(&lexicon, form));
            // Each piece of the form is the first of that text which the URL has left.
            let mut place = 0;
            let cell = |(symbol, text): (&Symbol, &_)| {
                let from = texts[place..].iter().position(|one| one == text);
                let text = match from {
                    Some(more) => {
                        place += more + 1;
                        TextSource::Source(place as u16 - 1)
                    }
                    None => TextSource::Literal(QUESTION),
                };
                Cell::new(*symbol, text)
            };
            leaves_out_arguments(&shape, &form.iter().zip(&written).map(cell).collect::<Vec<_>>())
        };
        let url = "http://a.test/b?c=1&d=2&e=3";
        for (form, expected) in [
            ("http://a.test/b", true),
            ("http://a.test/b?d=2&e=3", true),
            ("http://a.test/b?c=1&e=3", true),
            ("http://a.test/b?e=3", true),
            ("http://a.test/b?c=1&d=2&e=3", false),
            ("http://a.test/b?c=1&d=2&", false),
            ("http://a.test/b?c&d=2", false),
            ("http://a.test/?c=1", false),
        ] {
            assert_eq!(leaves_out(url, form), expected, "{form}");
        }
        assert!(!leaves_out("http://a.test/b?c=1;d=2", "http://a.test/b?c=1"));
        assert!(!leaves_out("http://a.test/b?c=1&d", "http://a.test/b?c=1"));
        assert!(!leaves_out("http://a.test/b?c=1&d=2#e", "http://a.test/b?c=1#e"));
    }
}
