//! URLs that one look at their shape answers: their site writes them so, the rules make this of
//! them, and that is the last word. Nearly all URLs of a queue are such.
//!
//! All that is asked of a URL and of its form on the long way (is it [normal](crate::url::normal),
//! does its site write it so, does every value read as it was meant, would it change again) is
//! about delimiters, names, scheme and host. Where all of these are function words, URLs of one
//! shape get the same answers, but for what escapes and `+` may do. So the first URL of a shape
//! goes the long way for all.

use std::sync::Arc;

use super::{Editor, LAST, Remembered};
use crate::edits::edit::{Cell, Program, Text, symbols};
use crate::edits::rows::MOST_PIECES;
use crate::translation::{Cause, How, Reason, Translation};
use crate::url::copied::reads_as_meant;
use crate::url::last_shape::LastShape;
use crate::url::lexicon::{Lexicon, Symbol};
use crate::url::normal::are_normal_escapes;
use crate::url::pieces::Part;
use crate::url::usage::Usage;

/// What a shape says of its URLs whose escapes are normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Each is its own form.
    Same,
    /// What the rules write at once is the form, unless a `+` comes to mean something else.
    Form,
    /// Not enough: each goes the long way.
    Open,
}

impl Editor {
    /// The form of `url`, which its site writes as `usage` says, if its shape tells it.
    pub(crate) fn translate_by_shape<'u>(
        &self,
        usage: &Arc<Usage>,
        url: &'u str,
    ) -> Option<Translation<'u>> {
        if !Arc::ptr_eq(self.usage.get_or_init(|| Arc::clone(usage)), usage) {
            return None;
        }
        let odd = memchr::memchr2(b'%', b'+', url.as_bytes());
        let odd = odd.map_or("".as_bytes(), |from| &url.as_bytes()[from..]);
        if !are_normal_escapes(odd) {
            return None;
        }
        LAST.with_borrow_mut(|last| {
            last.read((self.number, &self.lexicon), url);
            let LastShape { shape, ends, .. } = &*last;
            if shape.len() > MOST_PIECES {
                return None;
            }
            self.memo.ask_or(shape, Remembered::default, |known| {
                match known.verdict.get_or_init(|| self.verdict(usage, known, (url, shape, ends))) {
                    Verdict::Open => None,
                    Verdict::Same => Some(Translation::unchanged(url, Reason::NoRule)),
                    Verdict::Form => {
                        let edited = known.edited.get()?;
                        let form = self.write(edited.parts.as_ref()?, url, ends);
                        let has_plus = !edited.leaves_out && odd.contains(&b'+');
                        if form == url || has_plus && !reads_as_meant(url, &form) {
                            return None;
                        }
                        let mut cause = Cause::default();
                        self.push_rules(edited, &mut cause);
                        Some(Translation { canonical: form.into(), how: How::Rules, cause })
                    }
                }
            })
        })
    }

    /// What a shape says, by the first URL that has it.
    fn verdict(
        &self,
        usage: &Usage,
        known: &Remembered,
        (url, shape, ends): (&str, &[Symbol], &[u32]),
    ) -> Verdict {
        if usage.has_wishes() || !tells_names(shape) || !usage.is_form(url) {
            return Verdict::Open;
        }
        let edited = known.edited.get_or_init(|| self.edit(shape));
        let Some(parts) = &edited.parts else { return Verdict::Same };
        let is_told = |program: Program| {
            let form = self.write(parts, url, ends);
            edited.settled
                && keeps_origin(&program)
                && tells_names(&symbols(&program))
                && usage.is_form(&form)
                && (edited.leaves_out || tells_values(shape) && reads_as_meant(url, &form))
        };
        if self.program(shape).0.is_some_and(is_told) { Verdict::Form } else { Verdict::Open }
    }
}

/// Whether a program leaves scheme and host as they are.
fn keeps_origin(program: &[Cell]) -> bool {
    let texts = program.iter().map(|cell| cell.text);
    texts.take(ORIGIN).eq((0..ORIGIN as u16).map(Text::Source))
}

/// Scheme, `://` and host.
const ORIGIN: usize = 3;

/// Whether scheme, host and all names in the query are function words, and there is no fragment.
fn tells_names(shape: &[Symbol]) -> bool {
    let is = |symbol: Symbol, marks: &[&str]| {
        marks.iter().any(|mark| Lexicon::delimiter(mark) == Some(symbol))
    };
    let Some((origin, rest)) = shape.split_at_checked(ORIGIN) else { return false };
    let mut part = Part::Path;
    let is_told = |symbol: &Symbol| {
        if !Lexicon::is_delimiter(*symbol) {
            return part != Part::Key || Lexicon::is_word(*symbol);
        }
        if is(*symbol, &["?"]) || part != Part::Path && is(*symbol, &["&", ";"]) {
            part = Part::Key;
        } else if part == Part::Key && is(*symbol, &["="]) {
            part = Part::Value;
        }
        !is(*symbol, &["#"])
    };
    Lexicon::is_word(origin[0])
        && is(origin[1], &["://"])
        && Lexicon::is_word(origin[2])
        && rest.iter().all(is_told)
}

/// Whether only a `+` can come to [mean something else](crate::url::copied) when values of such a
/// URL are copied.
fn tells_values(shape: &[Symbol]) -> bool {
    let is = |symbol: &Symbol, mark: &str| Lexicon::delimiter(mark) == Some(*symbol);
    let mut parts = shape.split(|symbol| is(symbol, "?"));
    let path = parts.next().unwrap_or_default();
    parts.count() < 2 && !path.iter().any(|symbol| is(symbol, "&") || is(symbol, ";"))
}
