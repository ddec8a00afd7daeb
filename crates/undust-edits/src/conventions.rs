//! How a site writes its URLs, as far as training saw it: under which scheme and name, with which
//! arguments, in which order, and where the order of a list, the case of a path or the way to write
//! a value says nothing. A URL that is written otherwise is written so before a method rewrites it.

pub mod arguments;
pub mod case;
mod convention_evidence;
pub mod delimiter_patterns;
pub mod hosts;
pub mod lists;
mod normalization_step;
mod normalized;
mod overrides;
pub mod pairs;
pub mod query;
pub mod respellings;

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize, Serializer};

use self::arguments::Arguments;
use self::case::PathCase;
pub use self::convention_evidence::ConventionEvidence;
use self::delimiter_patterns::DelimiterPatterns;
use self::hosts::Hosts;
use self::lists::Lists;
pub use self::normalization_step::NormalizationStep;
pub use self::normalized::Normalized;
pub use self::overrides::Overrides;
use self::query::cut_query;
pub use self::respellings::Respelling;
use self::respellings::Respellings;
use undust_url::normal::normal;
use undust_url::query::query_span;

/// How a site writes its URLs.
///
/// If training saw one way only (one scheme, one order of two names, no such argument), every other
/// way counts as the same page: nearly all servers treat it so. If training saw several ways, pairs
/// of URLs that differ in this alone decide. The items of a list, the case of a path and the
/// spelling of a value are usually data, so they always need such pairs. So no two training URLs of
/// different pages become one, unless their [normal forms](normal) are the same.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UrlConventions {
    /// Under which scheme and name.
    pub hosts: Hosts,
    /// The names and the order of arguments; none if nothing is known of them.
    pub arguments: Option<Arguments>,
    /// Which values are lists.
    #[serde(default, skip_serializing_if = "Lists::is_empty")]
    pub lists: Lists,
    /// Where paths are in lower case.
    #[serde(default, skip_serializing_if = "PathCase::is_empty")]
    pub path_case: PathCase,
    /// Which spellings of a value are equal.
    #[serde(default, skip_serializing_if = "Respellings::is_empty")]
    pub respellings: Respellings,
    /// How values are delimited; none if the method does not need it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter_patterns: Option<DelimiterPatterns>,
    /// Arguments and URLs that the settings name.
    #[serde(default, skip_serializing_if = "Overrides::is_empty")]
    pub overrides: Overrides,
}

impl UrlConventions {
    /// The conventions without these learned steps, which then change no URL.
    pub fn without<'s>(mut self, steps: impl IntoIterator<Item = &'s NormalizationStep>) -> Self {
        for step in steps {
            match step {
                NormalizationStep::Https(all) => {
                    self.hosts.0.values_mut().for_each(|host| host.https.forget(*all));
                }
                NormalizationStep::Www(all) => {
                    self.hosts.0.values_mut().for_each(|host| host.www.forget(*all));
                }
                NormalizationStep::LowerCase(extent) => self.path_case.forget(extent),
                NormalizationStep::List(name) => self.lists.forget(name),
                NormalizationStep::Respelled(respelling, place) => {
                    self.respellings.forget(*respelling, place);
                }
                NormalizationStep::Order => {
                    self.arguments.iter_mut().for_each(Arguments::forget_order);
                }
                NormalizationStep::Normal
                | NormalizationStep::Dropped(_)
                | NormalizationStep::UnknownParams(_) => {}
            }
        }
        self
    }

    /// Adds names of arguments to those that training saw, because rules use them.
    pub fn know(&mut self, names: impl Iterator<Item = String>) {
        if let Some(arguments) = &mut self.arguments {
            names.for_each(|name| arguments.know(&name));
        }
    }

    /// The conventions without delimiter patterns, for a method that checks each copied part
    /// itself.
    pub fn without_delimiter_patterns(self) -> Self {
        Self { delimiter_patterns: None, ..self }
    }

    /// Whether `form` has a part of a value of `url` without the rest, and training saw no value that is
    /// delimited like that.
    pub fn is_copied_in_part(&self, url: &str, form: &str) -> bool {
        self.delimiter_patterns
            .as_ref()
            .is_some_and(|delimiter_patterns| delimiter_patterns.is_copied_in_part(url, form))
    }

    /// `url` as the site would write it. Other schemes than `http` and `https` are left alone.
    /// Idempotent: the result, with the unknown parameters reattached, is normalised.
    ///
    /// A normalised URL takes some 150 ns and no allocation, unless the site writes paths in lower
    /// case and this one has a capital.
    pub fn normalize<'u>(&self, url: &'u str) -> Normalized<'u> {
        let mut steps = Vec::new();
        if self.excepts(url) {
            return Normalized {
                url: Cow::Borrowed(url),
                unknown_params: Cow::Borrowed(""),
                steps,
            };
        }
        let mut normalized = normal(url);
        if matches!(normalized, Cow::Owned(_)) {
            steps.push(NormalizationStep::Normal);
        }
        if let Some((kept, names)) = self.overrides.without(&normalized) {
            // What is left may be written otherwise once an argument is gone.
            normalized = Cow::Owned(normal(&kept).into_owned());
            steps.push(NormalizationStep::Dropped(names));
        }
        if !is_web(&normalized) {
            return Normalized { url: normalized, unknown_params: Cow::Borrowed(""), steps };
        }
        if let Some(placed) = self.hosts.normalize(&normalized, &mut steps) {
            normalized = Cow::Owned(placed);
        }
        normalized = self.with_values_written(normalized, &mut steps);
        let Some(arguments) = &self.arguments else {
            return Normalized { url: normalized, unknown_params: Cow::Borrowed(""), steps };
        };
        let (url, unknown_params) = match &normalized {
            Cow::Borrowed(url) => self.set_aside(arguments, url, &mut steps).unzip(),
            Cow::Owned(url) => {
                let parts = self.set_aside(arguments, url, &mut steps);
                parts.map(|(url, unknown_params)| (owned(url), owned(unknown_params))).unzip()
            }
        };
        Normalized {
            url: url.unwrap_or(normalized),
            unknown_params: unknown_params.unwrap_or_default(),
            steps,
        }
    }

    /// A URL with its path and its values as the site would write them. What changes letters comes first:
    /// sorted items would be out of order in other ones.
    fn with_values_written<'u>(
        &self,
        mut url: Cow<'u, str>,
        steps: &mut Vec<NormalizationStep>,
    ) -> Cow<'u, str> {
        let respelled = |respelling, url: Cow<'u, str>, steps: &mut Vec<NormalizationStep>| {
            self.respellings.normalize(respelling, &url, steps).map_or(url, Cow::Owned)
        };
        url = respelled(Respelling::Unescaped, url, steps);
        url = respelled(Respelling::Composed, url, steps);
        // A small letter may have a character with its accent where the capital has none.
        while let Some(lower) = self.path_case.normalize(&url, steps) {
            url = respelled(Respelling::Composed, Cow::Owned(lower), steps);
        }
        url = respelled(Respelling::Space, url, steps);
        if let Some(sorted) = self.lists.normalize(&url, steps) {
            url = Cow::Owned(sorted);
        }
        url = respelled(Respelling::Repeated, url, steps);
        respelled(Respelling::ValueOrder, url, steps)
    }

    /// The URL that the method gets, and the unknown parameters; nothing where the method gets all of `url`. Where the
    /// rest would be written otherwise by itself, all arguments are set aside.
    fn set_aside<'u>(
        &self,
        arguments: &Arguments,
        url: &'u str,
        steps: &mut Vec<NormalizationStep>,
    ) -> Option<(Cow<'u, str>, Cow<'u, str>)> {
        let taken = steps.len();
        let (rest, unknown_params) = arguments.normalize(url, steps)?;
        let is_whole = self.respellings.is_empty() || unknown_params.is_empty();
        if is_whole || !self.respellings.change_arguments(&rest) {
            return Some((rest, unknown_params));
        }
        steps.truncate(taken);
        let (start, end) = query_span(url)?;
        Some(cut_query(url, start - 1, end))
    }

    /// The evidence for each step that [`UrlConventions::normalize`] takes with `url`, in order;
    /// none for steps that hold on every site or that the user set.
    pub fn evidence(&self, url: &str) -> Vec<(NormalizationStep, Option<ConventionEvidence>)> {
        let Normalized { url, unknown_params, steps } = self.normalize(url);
        let unknown_params = &*unknown_params;
        let steps = steps.into_iter().chain(Normalized::unknown_params_step(unknown_params));
        let evidence = |step: &NormalizationStep| match step {
            NormalizationStep::Https(all) => {
                self.hosts.of(&url).map(|host| host.https.evidence(*all))
            }
            NormalizationStep::Www(all) => self.hosts.of(&url).map(|host| host.www.evidence(*all)),
            NormalizationStep::LowerCase(extent) => self.path_case.evidence(extent),
            NormalizationStep::List(name) => self.lists.evidence(name),
            NormalizationStep::Respelled(respelling, place) => {
                self.respellings.evidence(*respelling, place)
            }
            NormalizationStep::Order => self.arguments.as_ref().map(Arguments::order_evidence),
            NormalizationStep::UnknownParams(_) => {
                self.arguments.as_ref().map(|known| known.unknown_params_evidence(unknown_params))
            }
            NormalizationStep::Normal | NormalizationStep::Dropped(_) => None,
        };
        steps
            .map(|step| {
                let evidence = evidence(&step);
                (step, evidence)
            })
            .collect()
    }

    /// Whether this site writes values or words of a path in one way of several, so that it may do
    /// so with some of `text`, a URL or a part of one. A shape does not determine it.
    pub(crate) fn may_change_values(&self, text: &[u8]) -> bool {
        self.lists.may_change(text)
            || self.path_case.may_change(text)
            || self.respellings.may_change(text)
    }

    /// The names of arguments that training saw.
    pub fn argument_names(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().flat_map(Arguments::names)
    }

    /// Whether the settings say that `url` stays as it is.
    pub fn excepts(&self, url: &str) -> bool {
        self.overrides.except(url)
    }

    /// Whether `url` is normalised and has no unknown parameter.
    pub fn is_normalized(&self, url: &str) -> bool {
        self.normalize(url).is_unchanged()
    }
}

fn is_web(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

/// Writes a map as JSON in the order of its keys.
fn in_order<V: Serialize, S: Serializer>(
    map: &FxHashMap<Box<str>, V>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(map.iter().collect::<BTreeMap<_, _>>())
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
