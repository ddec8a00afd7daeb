//! What a method learned of a site: one [`Model`]. The simulator replays it, a folder stores it,
//! and the [`Registry`](crate::registry::Registry) serves it.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use undust_url::copied::preserves_semantics;
use undust_url::tokens::drop_slashes;

use crate::operation::{Disabled, OperationName, OperationRef};
use crate::translation::{Applied, How, Reason, Rewriter, Translation};
use undust_decoder::pointer::PointerTranslator;
use undust_decoder::translator::Translator;
use undust_edits::conventions::UrlConventions;
use undust_edits::editor::Editor;
use undust_rules::set::RuleSet;
use undust_util::cache::SharedCache;

/// What turns the URLs of a site into canonical forms, the same whether it was just learned or loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum Model {
    /// Every URL is its own form.
    Identity,
    /// Trailing slashes and empty segments are dropped: the paper's tokeniser alone.
    TokenIdentity,
    /// A set of rules.
    Rules(RuleSet),
    /// Edits that the gate accepted.
    Edits(Box<Editor>),
    /// A pointer network.
    Pointer(Box<PointerTranslator>),
    /// A network with its vocabulary.
    Network(Box<Translator>),
}

/// What kind of model a folder holds, which decides how it is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// Every URL is its own form.
    Identity,
    /// Trailing slashes and empty segments are dropped.
    TokenIdentity,
    /// A set of rules.
    Rules,
    /// Edits that the gate accepted.
    Edits,
    /// A pointer network.
    Pointer,
    /// A network.
    Network,
}

impl Model {
    /// The editor, if it is edits.
    pub(crate) fn editor(&self) -> Option<&Editor> {
        match self {
            Self::Edits(editor) => Some(editor),
            _ => None,
        }
    }

    /// Its rules or edits, in order. A network has none.
    pub fn operations(&self) -> Vec<&dyn Applied> {
        match self {
            Self::Rules(rules) => rules.rules().map(|rule| rule as _).collect(),
            Self::Edits(editor) => editor.rules().map(|rule| rule as _).collect(),
            Self::Identity | Self::TokenIdentity | Self::Pointer(_) | Self::Network(_) => {
                Vec::new()
            }
        }
    }

    /// The places of the rules or edits that are switched off, and their names.
    pub(crate) fn places_of(&self, disabled: &Disabled) -> (FxHashSet<usize>, Vec<OperationName>) {
        if disabled.operations.is_empty() {
            return Default::default();
        }
        let named = self.operations().into_iter().map(OperationName::of).enumerate();
        named.filter(|(_, name)| disabled.has(name)).unzip()
    }

    /// The model and how its site writes URLs, without some operations. A network stays the same.
    pub fn pruned<'r>(
        self,
        conventions: Option<Arc<UrlConventions>>,
        operations: impl Iterator<Item = &'r OperationRef>,
    ) -> (Self, Option<Arc<UrlConventions>>) {
        let (mut places, mut steps) = (FxHashSet::default(), Vec::new());
        for operation in operations {
            match operation {
                OperationRef::RuleOrEdit(place) => _ = places.insert(*place),
                OperationRef::Normalization(step) => steps.push(step),
            }
        }
        let without_steps = |known: Arc<_>| UrlConventions::clone(&known).without(steps).into();
        (self.without(&places), conventions.map(without_steps))
    }

    /// The model without the rules or edits at these positions. A network stays the same.
    pub(crate) fn without(self, places: &FxHashSet<usize>) -> Self {
        match self {
            Self::Rules(rules) => Self::Rules(rules.without(places)),
            Self::Edits(editor) => Self::Edits(Box::new(editor.without(places))),
            other => other,
        }
    }

    /// The same, but that each edit applies where it was not tested, too.
    pub(crate) fn extrapolating(self) -> Self {
        match self {
            Self::Edits(editor) => Self::Edits(Box::new(editor.extrapolating())),
            other => other,
        }
    }

    /// Which kind of model it is: what its folder holds.
    pub(crate) fn kind(&self) -> ModelKind {
        match self {
            Self::Identity => ModelKind::Identity,
            Self::TokenIdentity => ModelKind::TokenIdentity,
            Self::Rules(_) => ModelKind::Rules,
            Self::Edits(_) => ModelKind::Edits,
            Self::Pointer(_) => ModelKind::Pointer,
            Self::Network(_) => ModelKind::Network,
        }
    }

    /// The form of `url`; none if a network must decode its template first.
    pub(crate) fn canonicalize_known<'u>(&self, url: &'u str) -> Option<Translation<'u>> {
        let known = match self {
            Self::Network(translator) => translator.canonicalize_known(url),
            Self::Pointer(translator) => translator.canonicalize_known(url),
            _ => return Some(self.rewrite(url)),
        };
        known.map(|translation| preserving_semantics(url, translation))
    }

    /// What it remembers, if it does.
    pub(crate) fn cache(&self) -> Option<&dyn SharedCache> {
        match self {
            Self::Identity | Self::TokenIdentity | Self::Rules(_) => None,
            Self::Edits(editor) => Some(editor.cache()),
            Self::Pointer(translator) => Some(translator.cache()),
            Self::Network(translator) => Some(translator.cache()),
        }
    }
}

/// A translation, unless a value that it copies would be read as something else.
fn preserving_semantics<'u>(url: &'u str, translation: Translation<'u>) -> Translation<'u> {
    match &translation.canonical {
        _ if translation.cause.only_leaves_out_arguments() => translation,
        Cow::Owned(form) if !preserves_semantics(url, form) => {
            translation.refused(url, Reason::ValueWouldBreak)
        }
        _ => translation,
    }
}

impl Rewriter for Model {
    fn rewrite<'u>(&self, url: &'u str) -> Translation<'u> {
        match self {
            Self::Identity => Translation::unchanged(url, Reason::NoRule),
            Self::TokenIdentity => Translation {
                canonical: drop_slashes(url),
                how: How::Rules,
                cause: Default::default(),
            },
            Self::Rules(rules) => preserving_semantics(url, rules.rewrite(url)),
            Self::Edits(editor) => preserving_semantics(url, editor.rewrite(url)),
            Self::Pointer(translator) => preserving_semantics(url, translator.rewrite(url)),
            Self::Network(translator) => preserving_semantics(url, translator.rewrite(url)),
        }
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        match self {
            Self::Pointer(translator) => translator.prepare(urls),
            Self::Network(translator) => translator.prepare(urls),
            Self::Identity | Self::TokenIdentity | Self::Rules(_) | Self::Edits(_) => {}
        }
    }
}
