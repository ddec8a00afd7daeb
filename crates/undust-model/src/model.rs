//! What a method has learned of a site: one [`Model`], which the simulator replays, a folder
//! keeps, and the [`Registry`] finds for a URL and serves.

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use undust_url::copied::reads_as_meant;
use undust_url::tokens::drop_slashes;

use super::folder::disabled::{Off, OperationName};
use super::folder::info::Kind;
use super::report::Report;
use crate::cache::Remembers;
use crate::conventions::Usage;
use crate::edits::editor::Editor;
use crate::networks::tagger::Tagger;
use crate::networks::translator::Translator;
use crate::normalize;
use crate::rules::set::RuleSet;
use crate::translation::{Applied, Canonicalizer, How, Reason, Translation};

/// What turns the URLs of a site into canonical forms. Fresh or loaded, it is the same thing.
#[derive(Debug)]
#[non_exhaustive]
pub enum Model {
    /// Every URL is its own form.
    Identity,
    /// Trailing slashes and empty segments are thrown away: the paper's tokeniser alone.
    TokenIdentity,
    /// A set of rules.
    Rules(RuleSet),
    /// Edits that the gate accepted.
    Edits(Box<Editor>),
    /// An edit tagger.
    Tagger(Box<Tagger>),
    /// A network with its vocabulary.
    Network(Box<Translator>),
}

/// What a method made of a site, and how.
#[derive(Debug)]
pub struct Learned {
    /// What it learned. Of URLs as the site writes them: others are for [`Learned`] itself.
    pub model: Model,
    /// How that went.
    pub report: Report,
    /// How the site writes its URLs. A baseline goes without, so that all that is gained is
    /// gained against it.
    pub usage: Option<Arc<Usage>>,
}

impl Learned {
    /// Of a method, and of how the site writes its URLs.
    pub fn new(model: Model, report: Report, mut usage: Usage) -> Self {
        usage.know(model.argument_names());
        if matches!(model, Model::Edits(_)) {
            // The gate has seen what becomes of all that its edits copy.
            usage = usage.without_parting();
        }
        let is_plain = matches!(model, Model::Identity | Model::TokenIdentity);
        let usage = (!is_plain).then(|| Arc::new(usage));
        Self { model, report, usage }
    }
}

/// What will be served, but for the guard of the site.
impl Canonicalizer for Learned {
    fn translate<'u>(&self, url: &'u str) -> Translation<'u> {
        match &self.usage {
            Some(usage) => {
                let Ok::<_, Infallible>(translation) =
                    normalize::translate(usage, &self.model, url, |url| {
                        Ok(self.model.translate(url))
                    });
                translation
            }
            None => self.model.translate(url),
        }
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        normalize::prepare(self.usage.as_deref(), &self.model, urls);
    }
}

impl Model {
    /// The rules, if it is a set of rules.
    pub fn rules(&self) -> Option<&RuleSet> {
        match self {
            Self::Rules(rules) => Some(rules),
            _ => None,
        }
    }

    /// Its rules or edits, in order. A network has none.
    pub fn operations(&self) -> Vec<&dyn Applied> {
        match self {
            Self::Rules(rules) => rules.rules().map(|rule| rule as _).collect(),
            Self::Edits(editor) => editor.rules().map(|rule| rule as _).collect(),
            Self::Identity | Self::TokenIdentity | Self::Tagger(_) | Self::Network(_) => Vec::new(),
        }
    }

    /// The places of the rules or edits that are switched off, and their names.
    pub(crate) fn places_of(&self, off: &Off) -> (FxHashSet<usize>, Vec<OperationName>) {
        if off.operations.is_empty() {
            return Default::default();
        }
        let named = self.operations().into_iter().map(OperationName::of).enumerate();
        named.filter(|(_, name)| off.has(name)).unzip()
    }

    /// The same without the rules or edits in these places. A network has none to be without.
    pub fn without(self, places: &FxHashSet<usize>) -> Self {
        match self {
            Self::Rules(rules) => Self::Rules(rules.without(places)),
            Self::Edits(editor) => Self::Edits(Box::new(editor.without(places))),
            other => other,
        }
    }

    /// The names of arguments that its rules are about.
    pub fn argument_names(&self) -> impl Iterator<Item = String> {
        let rules = self.rules().into_iter().flat_map(RuleSet::rules);
        rules.flat_map(|rule| rule.rule.argument_names())
    }

    pub fn kind(&self) -> Kind {
        match self {
            Self::Identity => Kind::Identity,
            Self::TokenIdentity => Kind::TokenIdentity,
            Self::Rules(_) => Kind::Rules,
            Self::Edits(_) => Kind::Edits,
            Self::Tagger(_) => Kind::Tagger,
            Self::Network(_) => Kind::Network,
        }
    }

    /// Whether it leaves every URL as it is.
    pub fn changes_nothing(&self) -> bool {
        match self {
            Self::Identity => true,
            Self::Rules(rules) => rules.rules().len() == 0,
            Self::Edits(editor) => editor.rules().len() == 0,
            Self::TokenIdentity | Self::Tagger(_) | Self::Network(_) => false,
        }
    }

    /// The form of `url`, unless a network must decode its template first, or has never been asked
    /// for it.
    pub fn translate_known<'u>(&self, url: &'u str) -> Option<Translation<'u>> {
        match self {
            Self::Network(translator) => translator.translate_known(url).map(|t| meant(url, t)),
            _ => Some(self.translate(url)),
        }
    }

    /// What it remembers, if it does.
    pub fn memo(&self) -> Option<&dyn Remembers> {
        match self {
            Self::Identity | Self::TokenIdentity | Self::Rules(_) => None,
            Self::Edits(editor) => Some(editor.memo()),
            Self::Tagger(tagger) => Some(tagger.memo()),
            Self::Network(translator) => Some(translator.memo()),
        }
    }

    /// Bytes of memory, about, without what it remembers.
    pub fn bytes(&self) -> usize {
        let own = match self {
            Self::Identity | Self::TokenIdentity => 0,
            Self::Rules(rules) => rules.bytes(),
            Self::Edits(editor) => editor.bytes(),
            Self::Tagger(tagger) => tagger.bytes(),
            Self::Network(translator) => translator.bytes(),
        };
        size_of::<Self>() + own
    }
}

/// A translation, unless a value that it copies would be read as something else.
fn meant<'u>(url: &'u str, translation: Translation<'u>) -> Translation<'u> {
    match &translation.canonical {
        _ if translation.cause.only_leaves_out_arguments() => translation,
        Cow::Owned(form) if !reads_as_meant(url, form) => {
            Translation::unchanged(url, Reason::ValueWouldBreak)
        }
        _ => translation,
    }
}

impl Canonicalizer for Model {
    fn translate<'u>(&self, url: &'u str) -> Translation<'u> {
        match self {
            Self::Identity => Translation::unchanged(url, Reason::NoRule),
            Self::TokenIdentity => Translation {
                canonical: drop_slashes(url),
                how: How::Rules,
                cause: Default::default(),
            },
            Self::Rules(rules) => meant(url, rules.translate(url)),
            Self::Edits(editor) => meant(url, editor.translate(url)),
            Self::Tagger(tagger) => meant(url, tagger.translate(url)),
            Self::Network(translator) => meant(url, translator.translate(url)),
        }
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        match self {
            Self::Tagger(tagger) => tagger.prepare(urls),
            Self::Network(translator) => translator.prepare(urls),
            Self::Identity | Self::TokenIdentity | Self::Rules(_) | Self::Edits(_) => {}
        }
    }
}
