//! What was applied to a URL, and what is known of it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use smallvec::SmallVec;
use undust_util::plural::counted;

/// What was applied to a URL to get its form, in order: rules, a template of the network, or
/// other operations. Costs nothing until it is printed.
#[derive(Debug, Clone, Default)]
pub struct Cause {
    /// Most causes are one thing, which takes no allocation here.
    steps: SmallVec<[Arc<dyn Applied>; 1]>,
    /// That of the network's answer, where one was asked.
    probability: Option<f32>,
    leaves_out_arguments: bool,
}

/// Something that was applied to a URL. It prints its notation for people.
pub trait Applied: fmt::Display + fmt::Debug + Send + Sync {
    /// What the training crawl says of it; none where it was not measured there.
    fn evidence(&self) -> Option<StepEvidence> {
        None
    }

    /// Where it holds, and on what it was seen; none where that is not kept.
    fn details(&self) -> Option<StepDetails> {
        None
    }

    /// The probability that a network gives what it wrote; none where no network did, or it keeps none.
    fn probability(&self) -> Option<f32> {
        None
    }

    /// Whether it is a way of writing URLs that the site treats as equal, learned from a crawl.
    fn is_learned_convention(&self) -> bool {
        false
    }

    /// Whether it only writes URLs in one way, learned or not, before a model is asked.
    fn is_normalization(&self) -> bool {
        false
    }

    /// Where it holds, distinguished from all other places; none where its notation says all.
    fn scope(&self) -> Option<&str> {
        None
    }
}

/// A notation for people: an empty right side is written `(nothing)`. Programs get the notation
/// unchanged, because it identifies an operation in saved files.
pub fn spelled_out(notation: &str) -> Cow<'_, str> {
    const NOTHING: &str = " → (nothing)";
    match notation.strip_suffix(" → ") {
        None if !notation.contains(" →  ") => Cow::Borrowed(notation),
        None => Cow::Owned(notation.replace(" →  ", &format!("{NOTHING} "))),
        Some(front) => Cow::Owned(spelled_out(front).into_owned() + NOTHING),
    }
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// What the training crawl says of something that changes URLs. Numbers of URLs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct StepEvidence {
    /// Changed URLs that came to share their form with another URL: only these are evidence.
    pub tested: usize,
    /// Of these, those whose page a crawler would never see.
    pub lost: usize,
    /// Changed URLs that get the form of another page. A crawler may see their own by another URL.
    #[serde(skip_serializing_if = "is_none")]
    pub collisions: usize,
    /// Fetches that it saves; none where that was not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<i64>,
    /// Different pages that the tested URLs show; none where that was not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<usize>,
    /// Kinds of pages, patterns of the path and names in the query, on which it was tested; none where that was not
    /// counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinds: Option<usize>,
    /// Forms that no URL of the crawl has and that the site itself names by a label, as `rel=canonical` does; none
    /// where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labelled: Option<usize>,
    /// The expected loss: the share of the tested that was lost, shrunk towards the prior.
    pub bound: f64,
}

/// The counts in words.
impl fmt::Display for StepEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tested, lost, collisions, saved, pages, kinds, labelled, bound } = *self;
        let collisions = match collisions {
            0 => String::new(),
            collisions => format!(", {}", counted(collisions, "collision")),
        };
        let saved =
            saved.map_or_else(String::new, |saved| format!(", {} saved", counted(saved, "fetch")));
        let bound = 100.0 * bound;
        let tested = counted(tested, "URL");
        let pages =
            pages.map_or_else(String::new, |pages| format!(" of {}", counted(pages, "page")));
        let kinds = kinds
            .map_or_else(String::new, |kinds| format!(", {} of pages", counted(kinds, "kind")));
        let labelled = labelled.map_or_else(String::new, |forms| {
            format!("; {} known only because the site names it", counted(forms, "canonical URL"))
        });
        write!(
            f,
            "tested on {tested}{pages}{kinds}: {lost} lost{collisions}{saved}; expected loss {bound:.2} %{labelled}"
        )
    }
}

/// Where something that changes URLs holds, and on what it was seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepDetails {
    /// Where it holds, in words.
    pub scope: Cow<'static, str>,
    /// Whether it holds there only on pages like those on which it was tested. On others it is a hypothesis.
    pub is_restricted: bool,
    /// Narrower places in which it does not.
    pub exceptions: usize,
    /// URLs of the training crawl, each with its form.
    pub examples: Vec<[String; 2]>,
}

impl Cause {
    /// Appends what was applied next.
    pub fn push(&mut self, applied: Arc<dyn Applied>) {
        self.steps.push(applied);
    }

    /// Notes that all it did was to leave out arguments of a query whose arguments all have names
    /// and are separated by `&`. Such a form is written as its URL was, and no value of it stands
    /// where it did not: nobody need look.
    pub(crate) fn leaves_out_arguments(&mut self) {
        self.leaves_out_arguments = true;
    }

    /// Whether the form is the URL without some of its arguments, and nothing more.
    pub fn only_leaves_out_arguments(&self) -> bool {
        self.leaves_out_arguments
    }

    /// Appends the steps of `later`.
    pub fn append(&mut self, later: Self) {
        self.probability = later.probability.or(self.probability);
        self.steps.extend(later.steps);
    }

    /// The cause without its steps: the answer was refused, or changes nothing.
    pub fn without_steps(&self) -> Self {
        Self { probability: self.probability, ..Self::default() }
    }

    /// Notes the probability that a network gives its answer.
    pub fn set_probability(&mut self, probability: Option<f32>) {
        self.probability = probability;
    }

    /// The probability that a network gives its answer, from 0 to 1: whether the answer changed the
    /// URL, left it as it is, or was refused. None where no network answered, or it keeps none.
    pub fn probability(&self) -> Option<f32> {
        self.probability
    }

    /// Whether nothing was applied.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// How many things were applied.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether every measured step is trusted with this `confidence`: its expected loss is at most
    /// `1 - confidence`, and a network's probability at least `confidence`. Steps without a measure
    /// pass.
    pub fn is_trusted(&self, confidence: f64) -> bool {
        self.steps().all(|step| {
            step.evidence().is_none_or(|known| 1.0 - known.bound >= confidence)
                && step.probability().is_none_or(|given| f64::from(given) >= confidence)
        })
    }

    /// What was applied, in order.
    pub fn steps(&self) -> impl Iterator<Item = &dyn Applied> {
        self.steps.iter().map(AsRef::as_ref)
    }

    /// Forgets what was applied after the first `len` things.
    pub(super) fn truncate(&mut self, len: usize) {
        self.steps.truncate(len);
    }
}

/// The notations, set apart by `; `.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, step) in self.steps().enumerate() {
            write!(f, "{}{step}", if place > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_behind_an_arrow_is_said() {
        for (notation, described) in [
            ("/print → ", "/print → (nothing)"),
            ("a →  and b → $1", "a → (nothing) and b → $1"),
            ("a →  and b → ", "a → (nothing) and b → (nothing)"),
            ("a →  (anywhere)", "a → (nothing) (anywhere)"),
            ("<word>/$ → $1", "<word>/$ → $1"),
            ("drop ?a", "drop ?a"),
            (r#""/index.html$" → "/$""#, r#""/index.html$" → "/$""#),
            ("", ""),
        ] {
            assert_eq!(spelled_out(notation), described);
        }
    }
}
