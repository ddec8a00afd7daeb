//! The names of a site's query arguments, and the order in which they stand.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use undust_url::query::{Argument, arguments, query_span};

use super::convention_evidence::ConventionEvidence;
use super::normalization_step::NormalizationStep;
use super::pairs::Pairs;
use super::query::{MOST_ARGUMENTS, Query, cut_query, joined, sort_by_key};

/// The names that training saw.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Listed", into = "Listed")]
pub struct Arguments {
    /// The position of each name's group. Arguments are sorted by group, and keep their order
    /// within one.
    pub groups: FxHashMap<Box<str>, u32>,
    /// Whether training saw arguments without `=`. Such text may be a value, not a name: `?123`.
    pub bare: bool,
    /// Training URLs that differ in the order alone, if training saw several orders.
    pub pairs: Pairs,
}

/// The names as a file holds them.
#[derive(Serialize, Deserialize)]
struct Listed {
    groups: Vec<Vec<Box<str>>>,
    bare: bool,
    #[serde(flatten)]
    pairs: Pairs,
}

impl Arguments {
    /// The names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.groups.keys().map(AsRef::as_ref)
    }

    /// Puts a name that training never saw behind the others.
    pub(super) fn know(&mut self, name: &str) {
        if !self.groups.contains_key(name) {
            let last = self.groups.values().max().map_or(0, |last| last + 1);
            self.groups.insert(name.into(), last);
        }
    }

    /// Arguments stay in the order in which they come: all names are of one group.
    pub(super) fn forget_order(&mut self) {
        self.groups.values_mut().for_each(|group| *group = 0);
    }

    /// What speaks for the order.
    pub(super) fn order_evidence(&self) -> ConventionEvidence {
        if self.pairs.suffice() {
            ConventionEvidence::pairs(self.pairs)
        } else {
            ConventionEvidence::OneOrder
        }
    }

    /// What is known of unknown parameters.
    pub(super) fn unknown_params_evidence(&self, unknown_params: &str) -> ConventionEvidence {
        let unknown_params = unknown_params.get(1..).unwrap_or_default();
        if arguments(unknown_params).any(|argument| self.knows(&argument)) {
            ConventionEvidence::BehindSemicolon
        } else {
            ConventionEvidence::Never
        }
    }

    /// The URL that the method gets, and the unknown parameters with the delimiter before the first;
    /// nothing where the method gets all of `url` as it is.
    pub(super) fn normalize<'u>(
        &self,
        url: &'u str,
        steps: &mut Vec<NormalizationStep>,
    ) -> Option<(Cow<'u, str>, Cow<'u, str>)> {
        let (start, end) = query_span(url)?;
        let survey = self.survey(&url[start..end])?;
        if survey.unknown_params == 0 && !survey.needs_order {
            return None;
        }
        let unknown_at_end = survey.kept_until <= survey.unknown_from;
        // A `;` may be a character of a value: nothing moves from behind it, or to there, but all is set aside
        // from the first argument on that would.
        let is_mixed = survey.has_ampersand && survey.needs_order;
        if survey.has_semicolon && (!unknown_at_end || is_mixed) {
            let from = if survey.begins_unordered { 0 } else { survey.unknown_from };
            return Some(cut_query(url, start + from - 1, end));
        }
        if survey.needs_order {
            steps.push(NormalizationStep::Order);
        } else if unknown_at_end && end == url.len() {
            let (rest, unknown_params) = url.split_at(start + survey.unknown_from - 1);
            return Some((Cow::Borrowed(rest), Cow::Borrowed(unknown_params)));
        }
        let mut query = Query::of(url)?;
        let (mut kept, unknown_params): (Vec<_>, Vec<_>) =
            query.arguments.into_iter().partition(|argument| self.knows(argument));
        if survey.needs_order {
            sort_by_key(&mut kept, |argument| self.group(argument));
        }
        query.arguments = kept;
        Some((Cow::Owned(query.written()), Cow::Owned(joined(&unknown_params))))
    }

    /// What is to be done about a query; nothing where it has too many arguments. Allocates
    /// nothing.
    fn survey(&self, query: &str) -> Option<Survey> {
        let mut survey = Survey { unknown_from: query.len(), ..Survey::default() };
        let (mut separator, mut last, mut is_first) = (None, 0, true);
        let (mut is_ordered, mut can_be_sorted) = (true, true);
        let mut at = 0;
        for (count, argument) in arguments(query).enumerate() {
            if count == MOST_ARGUMENTS {
                return None;
            }
            let from = at;
            at += argument.text.len() + 1;
            survey.has_ampersand |= count > 0 && argument.separator == b'&';
            let group = self.group(&argument);
            if group.is_none() && survey.unknown_params == 0 {
                survey.begins_unordered = can_be_sorted && !is_ordered;
            }
            survey.has_semicolon |=
                (group.is_none() || survey.unknown_params > 0) && argument.separator == b';';
            let Some(group) = group else {
                survey.unknown_params += 1;
                survey.unknown_from = survey.unknown_from.min(from);
                continue;
            };
            survey.kept_until = at - 1;
            // Only arguments that stay decide whether they can be sorted: once the others are set aside,
            // nothing else is left of them.
            if !std::mem::take(&mut is_first) {
                can_be_sorted &= *separator.get_or_insert(argument.separator) == argument.separator;
            }
            can_be_sorted &= argument.name.is_some();
            is_ordered &= group >= last;
            last = group;
        }
        survey.needs_order = can_be_sorted && !is_ordered;
        Some(survey)
    }

    /// The place of an argument's group; nothing where it is unknown. Empty arguments stay:
    /// `?` alone is not the same as none.
    fn group(&self, argument: &Argument<'_>) -> Option<u32> {
        match argument.name {
            Some(name) => self.groups.get(name).copied(),
            None => (self.bare || argument.text.is_empty()).then_some(0),
        }
    }

    fn knows(&self, argument: &Argument<'_>) -> bool {
        self.group(argument).is_some()
    }
}

/// What is to be done about a query.
#[derive(Debug, Default)]
struct Survey {
    /// Unknown parameters.
    unknown_params: usize,
    /// Where the first of them begins.
    unknown_from: usize,
    /// Where the last other one ends.
    kept_until: usize,
    needs_order: bool,
    /// Whether those before the first unknown one need an order.
    begins_unordered: bool,
    has_ampersand: bool,
    /// From the first unknown one on, and before it.
    has_semicolon: bool,
}

impl From<Listed> for Arguments {
    fn from(listed: Listed) -> Self {
        let groups = (0..).zip(listed.groups);
        let groups = groups.flat_map(|(place, names)| names.into_iter().map(move |n| (n, place)));
        Self { groups: groups.collect(), bare: listed.bare, pairs: listed.pairs }
    }
}

impl From<Arguments> for Listed {
    fn from(arguments: Arguments) -> Self {
        let mut names: Vec<_> =
            arguments.groups.into_iter().map(|(name, place)| (place, name)).collect();
        names.sort_unstable();
        let groups = names.chunk_by(|a, b| a.0 == b.0);
        let groups = groups.map(|group| group.iter().map(|(_, name)| name.clone()).collect());
        Self { groups: groups.collect(), bare: arguments.bare, pairs: arguments.pairs }
    }
}
