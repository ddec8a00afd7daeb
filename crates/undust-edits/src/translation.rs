//! The trait of what a method learned, its answers, and when an answer counts.

mod cause;

use std::borrow::Cow;

pub use self::cause::spelled_out;
pub use self::cause::{Applied, Cause, StepDetails, StepEvidence};

/// What a method learned, by itself: a set of rules, edits, a network. It takes URLs that are
/// normalised, as a site writes them.
///
/// Total, deterministic and safe to share: it never fails and never panics, and gives one URL the same answer at any
/// time, on any thread.
pub trait Rewriter: Send + Sync {
    /// What becomes of a normalised URL, how, and why.
    fn rewrite<'u>(&self, url: &'u str) -> Translation<'u>;

    /// Does in batches what [`rewrite`](Self::rewrite) will need for these URLs. This has no other
    /// effect.
    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        let _ = urls;
    }

    /// What becomes of a normalised URL, alone.
    fn rewritten<'u>(&self, url: &'u str) -> Cow<'u, str> {
        self.rewrite(url).canonical
    }
}

/// A URL's canonical form, and how it was found.
#[derive(Debug, Clone)]
pub struct Translation<'u> {
    /// The canonical form.
    pub canonical: Cow<'u, str>,
    /// How it was found.
    pub how: How,
    /// The steps that found it; empty if the URL is unchanged.
    pub cause: Cause,
}

impl<'u> Translation<'u> {
    /// The URL as it came.
    pub fn unchanged(url: impl Into<Cow<'u, str>>, reason: Reason) -> Self {
        Self { canonical: url.into(), how: How::Unchanged(reason), cause: Cause::default() }
    }

    /// What rules made of `url` in [`to_fixpoint`].
    pub fn settled(url: &'u str, fixpoint: Option<(Cow<'u, str>, Cause)>) -> Self {
        match fixpoint {
            Some((canonical, cause)) if canonical != url => {
                Self { canonical, how: How::Rules, cause }
            }
            Some(_) => Self::unchanged(url, Reason::NoRule),
            None => Self::unchanged(url, Reason::Unstable),
        }
    }

    /// The unchanged URL, because this answer was refused; keeps the network's probability.
    pub fn refused<'v>(&self, url: impl Into<Cow<'v, str>>, reason: Reason) -> Translation<'v> {
        Translation { cause: self.cause.without_steps(), ..Translation::unchanged(url, reason) }
    }
}

/// How a canonical form was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum How {
    /// The URL's template was decoded before, for another URL.
    Cache,
    /// The network decoded the URL's template.
    Network,
    /// By rules.
    Rules,
    /// The URL was written as its site writes it; its method changed nothing, for this reason.
    NormalForm(Reason),
    /// The URL came back as it came.
    Unchanged(Reason),
}

impl How {
    /// Its name, and the reason if the method changed nothing.
    pub fn describe(self) -> (&'static str, Option<String>) {
        match self {
            Self::Cache => ("cache", None),
            Self::Network => ("network", None),
            Self::Rules => ("rules", None),
            Self::NormalForm(reason) => ("normal form", Some(reason.to_string())),
            Self::Unchanged(reason) => ("unchanged", Some(reason.to_string())),
        }
    }
}

/// Why a method did not change a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// No model for its site.
    #[error("no model")]
    NoModel,
    /// The model of its site cannot be loaded.
    #[error("broken model")]
    BrokenModel,
    /// Not a URL with a host, or empty.
    #[error("not a URL")]
    NoUrl,
    /// More tokens, or bytes, than are translated.
    #[error("too long")]
    TooLong,
    /// More arguments than there are placeholders.
    #[error("too many arguments")]
    TooManyArguments,
    /// The output of the network did not end.
    #[error("endless")]
    NoEnd,
    /// The network named an argument that the URL lacks.
    #[error("missing argument")]
    MissingArgument,
    /// The answer would be translated again.
    #[error("unstable")]
    Unstable,
    /// No rule changes it.
    #[error("no rule")]
    NoRule,
    /// An edit would change it that was not tested on pages like this one.
    #[error("not tested here")]
    NotTested,
    /// The answer is a URL of another site.
    #[error("other site")]
    OtherSite,
    /// The scheme or host was not seen in training, and the answer would not keep it.
    #[error("other host")]
    OtherHost,
    /// The settings say that it stays as it is.
    #[error("excepted by the settings")]
    Excepted,
    /// Training saw no URL of its template, and the settings keep such URLs.
    #[error("unseen template")]
    UnseenTemplate,
    /// Too little is known of what would change it.
    #[error("low confidence")]
    TooLittleConfidence,
    /// A value would stand where its characters are delimiters.
    #[error("a value would change its meaning")]
    ValueWouldBreak,
    /// The operation that would change it is switched off: too many of its URLs showed another page.
    #[error("switched off")]
    DisabledOperation,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 17] = [
        Self::NoModel,
        Self::BrokenModel,
        Self::NoUrl,
        Self::TooLong,
        Self::TooManyArguments,
        Self::NoEnd,
        Self::MissingArgument,
        Self::Unstable,
        Self::NoRule,
        Self::NotTested,
        Self::OtherSite,
        Self::OtherHost,
        Self::Excepted,
        Self::UnseenTemplate,
        Self::TooLittleConfidence,
        Self::ValueWouldBreak,
        Self::DisabledOperation,
    ];
}

/// When repeated translation counts as ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixpointOptions {
    /// Most changes in a row.
    pub most_changes: usize,
    /// Whether a form of more than 64 bytes and twice its URL's length counts as endless.
    pub bounds_length: bool,
    /// How a cycle is resolved.
    pub circle: Circle,
}

/// How a cycle of forms is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Circle {
    /// The smallest of them is the form of all.
    Smallest,
    /// There is no answer.
    NoAnswer,
}

/// A step came to no end within its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Endless;

/// Longest URL, in bytes, that is looked at: no server takes longer ones.
pub const LONGEST_URL: usize = 1 << 15;

/// The longest form, in bytes, that a URL may take while it settles, if
/// [`FixpointOptions::bounds_length`].
pub fn longest_form(url: &str) -> usize {
    longest_form_of(url.len())
}

/// The longest that any URL may take.
pub const LONGEST_FORM: usize = longest_form_of(LONGEST_URL);

const fn longest_form_of(length: usize) -> usize {
    2 * length + 64
}

/// Applies `step` until it changes nothing, so translating the result again gives it back. None if
/// there is no end within bounds; such a URL is its own form.
///
/// `step` returns the changed URL, if it changes, and appends what it applied to the cause.
/// Allocates no more than `step` does, unless a URL changes twice.
pub fn to_fixpoint<'u>(
    url: &'u str,
    options: FixpointOptions,
    mut step: impl FnMut(&str, &mut Cause) -> Result<Option<String>, Endless>,
) -> Option<(Cow<'u, str>, Cause)> {
    let mut cause = Cause::default();
    let Some(mut form) = step(url, &mut cause).ok()? else {
        return Some((Cow::Borrowed(url), cause));
    };
    let longest = if options.bounds_length { longest_form(url) } else { usize::MAX };
    // Forms before `form`, without `url`, each with the length of its cause.
    let mut trail: Vec<(String, usize)> = Vec::new();
    for _ in 0..options.most_changes {
        if form.len() > longest {
            return None;
        }
        let applied = cause.len();
        let Some(next) = step(&form, &mut cause).ok()? else {
            return Some((Cow::Owned(form), cause));
        };
        trail.push((std::mem::replace(&mut form, next), applied));
        if let Some(circle) = circle(url, &form, &trail) {
            return match options.circle {
                Circle::NoAnswer => None,
                Circle::Smallest => circle.min().map(|(form, applied)| {
                    cause.truncate(applied);
                    (Cow::Owned(form.to_owned()), cause)
                }),
            };
        }
    }
    None
}

/// The forms from the first that equals `form` on, where there is one, each with the length of
/// its cause.
fn circle<'t>(
    url: &'t str,
    form: &str,
    trail: &'t [(String, usize)],
) -> Option<impl Iterator<Item = (&'t str, usize)>> {
    let trail = trail.iter().map(|(form, applied)| (form.as_str(), *applied));
    let all = std::iter::once((url, 0)).chain(trail);
    let from = all.clone().position(|(before, _)| before == form)?;
    Some(all.skip(from))
}

#[cfg(test)]
impl Applied for String {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const RULES: FixpointOptions =
        FixpointOptions { most_changes: 10, bounds_length: true, circle: Circle::Smallest };

    /// Steps along a table, and names each step.
    fn fixpoint(
        url: &str,
        options: FixpointOptions,
        table: &[(&str, &str)],
    ) -> Option<(String, String)> {
        let step = |url: &str, cause: &mut Cause| {
            let Some((from, to)) = table.iter().find(|(from, _)| *from == url) else {
                return Ok(None);
            };
            cause.push(Arc::new(format!("{from}→{to}")));
            Ok(Some((*to).to_owned()))
        };
        let (form, cause) = to_fixpoint(url, options, step)?;
        Some((form.into_owned(), cause.to_string()))
    }

    fn some(form: &str, cause: &str) -> Option<(String, String)> {
        Some((form.to_owned(), cause.to_owned()))
    }

    #[test]
    fn steps_follow_one_another() {
        let table = [("a", "b"), ("b", "c")];
        assert_eq!(fixpoint("a", RULES, &table), some("c", "a→b; b→c"));
        assert_eq!(fixpoint("c", RULES, &table), some("c", ""));
    }

    #[test]
    fn a_circle_has_one_form_or_none() {
        let table = [("z", "c"), ("c", "b"), ("b", "a"), ("a", "c")];
        let expected = [("z", "z→c; c→b; b→a"), ("c", "c→b; b→a"), ("b", "b→a"), ("a", "")];
        for (url, cause) in expected {
            assert_eq!(fixpoint(url, RULES, &table), some("a", cause));
        }
        let refusing = FixpointOptions { circle: Circle::NoAnswer, ..RULES };
        assert_eq!(fixpoint("z", refusing, &table), None);
    }

    #[test]
    fn so_many_changes_and_no_more() {
        let names: Vec<String> = (0..12).map(|n| format!("{n:02}")).collect();
        let table: Vec<_> = names.windows(2).map(|w| (w[0].as_str(), w[1].as_str())).collect();
        assert_eq!(fixpoint("01", RULES, &table).expect("ten changes").0, "11");
        assert_eq!(fixpoint("00", RULES, &table), None);
        let once = FixpointOptions { most_changes: 1, ..RULES };
        assert_eq!(fixpoint("10", once, &table), some("11", "10→11"));
        assert_eq!(fixpoint("09", once, &table), None);
    }

    #[test]
    fn growth_has_a_bound() {
        let long = "x".repeat(67);
        assert_eq!(fixpoint("a", RULES, &[("a", &long)]), None);
        let unbounded = FixpointOptions { bounds_length: false, ..RULES };
        assert!(fixpoint("a", unbounded, &[("a", &long)]).is_some());
        assert!(fixpoint("a", RULES, &[("a", &long[1..])]).is_some());
    }

    #[test]
    fn a_step_without_end_is_no_answer() {
        assert!(to_fixpoint("a", RULES, |_, _| Err(Endless)).is_none());
    }

    /// What the documentation says of `how` and `reason`, in its order, is what the code answers.
    #[test]
    fn the_documentation_lists_every_answer() {
        let path = undust_testing::in_repository("docs/using/command-line.md");
        let text = std::fs::read_to_string(path).expect("the documentation");
        let (_, section) = text.split_once("\n`how` is ").expect("a list of `how`");
        let (hows, section) = section.split_once("with a `reason`").expect("then of `reason`");
        let (_, table) = section.split_once("|---|---|\n").expect("a table of them");
        let (table, _) = table.split_once("\n\n").expect("an end of the table");
        let (normalized, unchanged) =
            (How::NormalForm(Reason::NoRule), How::Unchanged(Reason::NoRule));
        let answers = [How::Cache, How::Network, How::Rules, normalized, unchanged];
        let hows: Vec<&str> = hows.split('`').skip(1).step_by(2).collect();
        assert_eq!(hows, answers.map(|how| how.describe().0));
        let reasons = table.lines().filter_map(|row| row.split('`').nth(1));
        let known = Reason::ALL.map(|reason| reason.to_string());
        assert_eq!(reasons.collect::<Vec<_>>(), known);
    }
}
