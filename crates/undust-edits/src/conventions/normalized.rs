//! A URL as its site would write it, and the unknown parameters that are reattached to its form.

use std::borrow::Cow;

use super::normalization_step::NormalizationStep;
use super::query::{names, with_unknown_params};

/// A URL as its site would write it, and the part that the method does not get.
#[derive(Debug, PartialEq)]
pub struct Normalized<'u> {
    /// The URL that the method gets.
    pub url: Cow<'u, str>,
    /// Arguments that training never saw, after the separator of the first; empty if there are
    /// none. Nobody knows whether they change the page, so [`Normalized::reattach`] adds them to
    /// the form.
    pub unknown_params: Cow<'u, str>,
    /// The steps that changed the URL.
    pub steps: Vec<NormalizationStep>,
}

impl Normalized<'_> {
    /// Whether nothing was done, and the method gets all of the URL.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.steps.is_empty() && self.unknown_params.is_empty()
    }

    /// The form of the whole URL, if `form` is that of the part that the method got.
    pub fn reattach<'f>(unknown_params: &str, form: Cow<'f, str>) -> Cow<'f, str> {
        if unknown_params.is_empty() {
            form
        } else {
            Cow::Owned(with_unknown_params(&form, unknown_params))
        }
    }

    /// The step that names the unknown parameters.
    pub fn unknown_params_step(unknown_params: &str) -> Option<NormalizationStep> {
        let names = || names(unknown_params).collect::<Vec<_>>().join(", ");
        (!unknown_params.is_empty()).then(|| NormalizationStep::UnknownParams(names()))
    }
}
