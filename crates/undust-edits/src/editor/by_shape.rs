//! URLs whose form one look at their shape decides, as nearly all URLs of a queue are: they are normalised, and
//! what the rules make of them is final.
//!
//! All that is asked of a URL and of its form on the long way (is it [normal](undust_url::normal),
//! does its site write it so, does every value read as it was meant, would it change again) is
//! about delimiters, names, scheme and host. Where all of these are function words, URLs of one
//! shape get the same answers, but for what escapes, `+` and `\` may do. So the first URL of a shape
//! goes the long way for all. Where a site puts lists in order or paths in lower case, URLs with what
//! may part items, or with capitals, go the long way by themselves.

use std::sync::Arc;

use memchr::memmem;

use undust_url::copied::preserves_semantics;
use undust_url::last_shape::PieceEnd;
use undust_url::lexicon::Symbol;
use undust_url::normal::are_normal_escapes;

use super::Editor;
use super::output_parts::OutputPart;
use super::shape_memory::{Edited, ShapeAnswer, ShapeMemory};
use super::shapes::{determines_names, determines_values};
use super::writing::{write, written};
use crate::conventions::UrlConventions;
use crate::translation::{Cause, How, LONGEST_FORM, Reason, Translation};

/// A form that a shape determines.
struct ShapeForm<'t> {
    edited: &'t Edited,
    parts: &'t [OutputPart],
    ends: &'t [PieceEnd],
    /// Whether a `+`, a `\` or an escaped slash of the URL may come to mean something else in it.
    is_unsure: bool,
}

impl Editor {
    /// The form of `url`, whose site follows `conventions`, if the shape alone determines it.
    pub fn translate_by_shape<'u>(
        &self,
        conventions: &Arc<UrlConventions>,
        url: &'u str,
    ) -> Option<Translation<'u>> {
        self.ask_shape(conventions, url, |form| {
            let ShapeForm { edited, parts, ends, is_unsure } = match form {
                Ok(form) => form,
                Err(reason) => return Some(Translation::unchanged(url, reason)),
            };
            let form = written(&self.literals, parts, url, ends, LONGEST_FORM)?;
            if form == url || is_unsure && !preserves_semantics(url, &form) {
                return None;
            }
            let mut cause = Cause::default();
            self.push_rules(edited, &mut cause);
            Some(Translation { canonical: form.into(), how: How::Rules, cause })
        })
    }

    /// Appends that form to `text`; returns how it was found. Creates no translation and no cause,
    /// and writes nothing that threads share.
    pub fn write_by_shape(
        &self,
        conventions: &Arc<UrlConventions>,
        url: &str,
        text: &mut Vec<u8>,
    ) -> Option<How> {
        let begin = text.len();
        self.ask_shape(conventions, url, |form| {
            let ShapeForm { parts, ends, is_unsure, .. } = match form {
                Ok(form) => form,
                Err(reason) => {
                    text.extend_from_slice(url.as_bytes());
                    return Some(How::Unchanged(reason));
                }
            };
            let put = |part: &str| text.extend_from_slice(part.as_bytes());
            let is_whole = write(&self.literals, parts, url, ends, LONGEST_FORM, put);
            let form = &text[begin..];
            let keeps_meaning =
                || std::str::from_utf8(form).is_ok_and(|form| preserves_semantics(url, form));
            if !is_whole || form == url.as_bytes() || is_unsure && !keeps_meaning() {
                text.truncate(begin);
                return None;
            }
            Some(How::Rules)
        })
    }

    /// Hands the form of `url` to `use_it` if its shape determines it; where that is the URL, the reason.
    fn ask_shape<R>(
        &self,
        conventions: &Arc<UrlConventions>,
        url: &str,
        use_it: impl FnOnce(Result<ShapeForm<'_>, Reason>) -> Option<R>,
    ) -> Option<R> {
        if !Arc::ptr_eq(self.conventions.get_or_init(|| Arc::clone(conventions)), conventions) {
            return None;
        }
        let odd = memchr::memchr3(b'%', b'+', b'\\', url.as_bytes());
        let odd = odd.map_or("".as_bytes(), |from| &url.as_bytes()[from..]);
        if !are_normal_escapes(odd) || conventions.may_change_values(url.as_bytes()) {
            return None;
        }
        self.ask(url, |known, shape, ends| {
            match known.answer.get_or_init(|| self.answer(conventions, known, url, shape, ends)) {
                ShapeAnswer::Open => None,
                ShapeAnswer::Same(reason) => use_it(Err(*reason)),
                ShapeAnswer::Form => {
                    let edited = known.edited.get()?;
                    let parts = edited.parts.as_ref()?;
                    let is_unsure = !edited.leaves_out && may_change_meaning(odd);
                    use_it(Ok(ShapeForm { edited, parts, ends, is_unsure }))
                }
            }
        })
    }

    /// What a shape says, by the first URL that has it.
    fn answer(
        &self,
        conventions: &UrlConventions,
        known: &ShapeMemory,
        url: &str,
        shape: &[Symbol],
        ends: &[PieceEnd],
    ) -> ShapeAnswer {
        if !conventions.overrides.is_empty()
            || !determines_names(shape)
            || !conventions.is_normalized(url)
        {
            return ShapeAnswer::Open;
        }
        let edited = self.edited(known, shape);
        let Some(parts) = &edited.parts else { return ShapeAnswer::Same(edited.reason) };
        if !edited.is_stable || !edited.determines_names {
            return ShapeAnswer::Open;
        }
        let Some(form) = written(&self.literals, parts, url, ends, LONGEST_FORM) else {
            return ShapeAnswer::Open;
        };
        // Nothing of `url` may be written otherwise: what may be is of the rules, for all of a shape.
        if conventions.may_change_values(form.as_bytes()) {
            return ShapeAnswer::Open;
        }
        let keeps_meaning =
            edited.leaves_out || determines_values(shape) && preserves_semantics(url, &form);
        if keeps_meaning && conventions.is_normalized(&form) {
            ShapeAnswer::Form
        } else {
            ShapeAnswer::Open
        }
    }
}

/// Whether a text from a URL in its normal form has what may mean something else elsewhere.
fn may_change_meaning(text: &[u8]) -> bool {
    memchr::memchr2(b'+', b'\\', text).is_some()
        || ["%2F", "%5C"].iter().any(|slash| memmem::find(text, slash.as_bytes()).is_some())
}
