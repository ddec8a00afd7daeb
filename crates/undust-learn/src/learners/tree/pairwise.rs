//! Pairwise rules (Koppula et al., section 5.1, algorithm 4): what each key of a source
//! becomes in its target.

use undust_rules::key_rule::Conversion;

use super::alignment::{AlignmentStep, align};
use super::components::{ComponentValue, UrlComponents};
use super::place::{Component, New, PlaceChange, Spot, ValuePlace};

/// Fewest bytes of a value that is looked for elsewhere: finding one byte again is chance.
const MIN_REFERENCE: usize = 2;

/// What turns `source` into `target`; empty if their keys have the same values. Linear in the
/// URLs, but quadratic in the segments that differ, at most 32.
pub(super) fn edits<'a>(
    source: &UrlComponents<'a>,
    target: &UrlComponents<'a>,
) -> Vec<PlaceChange<'a>> {
    let pair = Pairing { source, target };
    let mut edits = Vec::new();
    pair.whole(Component::Scheme, source.scheme, target.scheme, &mut edits);
    pair.whole(Component::Host, source.host, target.host, &mut edits);
    pair.segments(&mut edits);
    pair.arguments(&mut edits);
    edits
}

struct Pairing<'p, 'a> {
    source: &'p UrlComponents<'a>,
    target: &'p UrlComponents<'a>,
}

impl<'a> Pairing<'_, 'a> {
    fn whole(
        &self,
        component: Component<'a>,
        old: &'a str,
        new: &'a str,
        edits: &mut Vec<PlaceChange<'a>>,
    ) {
        if old != new {
            let at = ValuePlace::whole(component);
            let new = vec![self.made(at, Some(old), new)];
            edits.push(PlaceChange { at, old: Some(old), new });
        }
    }

    /// The edits of the segments. A rule has no key for a place between segments, so an inserted
    /// segment belongs to the edit of the segment before it, or of the first one.
    fn segments(&self, edits: &mut Vec<PlaceChange<'a>>) {
        let texts =
            |values: &[ComponentValue<'a>]| values.iter().map(|v| v.text).collect::<Vec<_>>();
        let (old, mut new) = (texts(&self.source.segments), texts(&self.target.segments));
        // A rule can empty a path but not take away its first slash.
        if new.is_empty() && !old.is_empty() {
            new.push("");
        }
        let steps = align(&old, &new);
        let mut changed: Vec<(usize, Vec<AlignmentStep>)> = Vec::new();
        let mut leading = Vec::new();
        for step in steps {
            match (step, changed.last_mut()) {
                (AlignmentStep::Insert(_), Some((_, steps))) => steps.push(step),
                (AlignmentStep::Insert(_), None) => leading.push(step),
                (
                    AlignmentStep::Keep(i)
                    | AlignmentStep::Replace(i, _)
                    | AlignmentStep::Delete(i),
                    _,
                ) => {
                    let mut steps = std::mem::take(&mut leading);
                    steps.push(step);
                    changed.push((i, steps));
                }
            }
        }
        for (place, steps) in changed {
            self.segment(&self.source.segments[place], &steps, edits);
        }
        for (place, step) in leading.into_iter().enumerate() {
            // Only a source without segments has no edit to which they could belong.
            let at =
                ValuePlace::whole(Component::Segment(Spot { start: place as u16, end: u16::MAX }));
            let new = self.inserted(step).into_iter().collect();
            edits.push(PlaceChange { at, old: None, new });
        }
    }

    fn segment(
        &self,
        old: &ComponentValue<'a>,
        steps: &[AlignmentStep],
        edits: &mut Vec<PlaceChange<'a>>,
    ) {
        let at = ValuePlace::whole(old.component);
        match steps {
            [AlignmentStep::Keep(_)] => {}
            [AlignmentStep::Replace(_, j)] if *j < self.target.segments.len() => {
                self.replaced(old, &self.target.segments[*j], edits)
            }
            steps => {
                let new = steps.iter().filter_map(|step| match step {
                    AlignmentStep::Keep(_) => Some(New::Copy(at)),
                    AlignmentStep::Replace(_, j) => {
                        Some(self.made(at, Some(old.text), self.segment_text(*j)))
                    }
                    AlignmentStep::Delete(_) => None,
                    AlignmentStep::Insert(_) => self.inserted(*step),
                });
                edits.push(PlaceChange { at, old: Some(old.text), new: new.collect() });
            }
        }
    }

    fn segment_text(&self, place: usize) -> &'a str {
        self.target.segments.get(place).map_or("", |value| value.text)
    }

    fn inserted(&self, step: AlignmentStep) -> Option<New<'a, ValuePlace<'a>>> {
        let AlignmentStep::Insert(j) = step else { return None };
        let text = self.segment_text(j);
        Some(self.found(text).unwrap_or(New::Literal(text)))
    }

    fn arguments(&self, edits: &mut Vec<PlaceChange<'a>>) {
        for old in &self.source.arguments {
            match self.target.argument(old.component) {
                Some(new) if new.text == old.text => {}
                Some(new) => self.replaced(old, new, edits),
                None => edits.push(PlaceChange {
                    at: ValuePlace::whole(old.component),
                    old: Some(old.text),
                    new: Vec::new(),
                }),
            }
        }
        for new in &self.target.arguments {
            if self.source.argument(new.component).is_none() {
                let at = ValuePlace::whole(new.component);
                let made = self.made(at, None, new.text);
                edits.push(PlaceChange { at, old: None, new: vec![made] });
            }
        }
    }

    /// The edit of a component with a new value: a reference or a conversion, if there is one; else
    /// edits of its deep tokens, if both values have a pattern and share a word; else text.
    fn replaced(
        &self,
        old: &ComponentValue<'a>,
        new: &ComponentValue<'a>,
        edits: &mut Vec<PlaceChange<'a>>,
    ) {
        let at = ValuePlace::whole(old.component);
        let made = self.made(at, Some(old.text), new.text);
        if made.reference().is_none() && self.tokens(old, new, edits).is_some() {
            return;
        }
        edits.push(PlaceChange { at, old: Some(old.text), new: vec![made] });
    }

    /// The edits of the deep tokens that differ; nothing, and no edit, if a value has no pattern or
    /// no word is shared.
    fn tokens(
        &self,
        old: &ComponentValue<'a>,
        new: &ComponentValue<'a>,
        edits: &mut Vec<PlaceChange<'a>>,
    ) -> Option<()> {
        old.pattern.and(new.pattern)?;
        let steps = align(&old.tokens, &new.tokens);
        let is_word = |text: &str| text.bytes().any(|byte| byte.is_ascii_alphanumeric());
        let is_shared = |step: &AlignmentStep| matches!(step, AlignmentStep::Keep(i) if is_word(old.tokens[*i]));
        if !steps.iter().any(is_shared) {
            return None;
        }
        let mut made: Vec<PlaceChange<'a>> = Vec::new();
        let mut leading = Vec::new();
        for step in steps {
            let (place, values) = match step {
                AlignmentStep::Keep(i) => (i, vec![New::Copy(old.token(i)?)]),
                AlignmentStep::Delete(i) => (i, Vec::new()),
                AlignmentStep::Replace(i, j) => {
                    (i, vec![self.made(old.token(i)?, Some(old.tokens[i]), new.tokens[j])])
                }
                AlignmentStep::Insert(j) => {
                    let text = new.tokens[j];
                    let inserted = self.found(text).unwrap_or(New::Literal(text));
                    made.last_mut().map_or(&mut leading, |edit| &mut edit.new).push(inserted);
                    continue;
                }
            };
            let new = leading.drain(..).chain(values).collect();
            made.push(PlaceChange { at: old.token(place)?, old: Some(old.tokens[place]), new });
        }
        edits.extend(made.into_iter().filter(|edit| edit.new != [New::Copy(edit.at)]));
        Some(())
    }

    /// How `text` comes about at a place of the source: by a conversion of the old value, by a
    /// reference to another place, or as text.
    fn made(
        &self,
        at: ValuePlace<'a>,
        old: Option<&str>,
        text: &'a str,
    ) -> New<'a, ValuePlace<'a>> {
        let own = old.and_then(|old| conversion(old, text)).map(|how| New::Converted(how, at));
        own.or_else(|| self.found(text)).unwrap_or(New::Literal(text))
    }

    /// Where in the source `text` stands, verbatim or converted. Arguments that the target lacks
    /// come first, because a value that moves leaves its old place; whole components come before deep
    /// tokens.
    fn found(&self, text: &str) -> Option<New<'a, ValuePlace<'a>>> {
        if text.len() < MIN_REFERENCE {
            return None;
        }
        self.places()
            .find_map(|(place, value)| (value == text).then_some(New::Copy(place)))
            .or_else(|| {
                self.places().find_map(|(place, value)| {
                    Some(New::Converted(conversion(value, text)?, place))
                })
            })
    }

    fn places(&self) -> impl Iterator<Item = (ValuePlace<'a>, &'a str)> {
        let is_kept = |value: &&ComponentValue<'a>| self.target.argument(value.component).is_some();
        let gone = self.source.arguments.iter().filter(move |value| !is_kept(value));
        let kept = self.source.arguments.iter().filter(is_kept);
        let whole = gone.chain(kept).chain(&self.source.segments);
        let tokens = self.source.values().flat_map(|value| {
            let places = value.tokens.iter().enumerate();
            places.filter_map(|(at, text)| Some((value.token(at)?, *text)))
        });
        whole.map(|value| (ValuePlace::whole(value.component), value.text)).chain(tokens)
    }
}

/// The first conversion that turns `from` into `to`; none if they are equal.
fn conversion(from: &str, to: &str) -> Option<Conversion> {
    // Converting allocates, so a conversion is tried only if it can succeed.
    let other_case = from.len() == to.len() && from.to_lowercase() == to.to_lowercase();
    let is_escaped = |text: &str| text.contains('%');
    let may = |how: &Conversion| match how {
        Conversion::Lower | Conversion::Upper => other_case,
        Conversion::Decode => is_escaped(from) && from.len() > to.len(),
        Conversion::Encode => is_escaped(to) && from.len() < to.len(),
    };
    let mut all = Conversion::ALL.into_iter();
    all.find(|how| from != to && may(how) && how.apply(from).as_deref() == Some(to))
}
