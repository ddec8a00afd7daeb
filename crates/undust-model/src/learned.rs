//! What a method made of a site: the model, how the site writes its URLs, and how learning went.

use std::convert::Infallible;
use std::sync::Arc;

use crate::model::Model;
use crate::normalize;
use crate::report::Report;
use crate::translation::{Canonicalizer, Rewriter, Translation};
use undust_edits::conventions::UrlConventions;

/// What a method made of a site, and how.
#[derive(Debug)]
pub struct Learned {
    /// The model, which takes normalised URLs; [`Learned`] itself takes any.
    pub model: Model,
    /// How that went.
    pub report: Report,
    /// The URL conventions of the site. A baseline has none, so that it measures a crawler without
    /// undust.
    pub conventions: Option<Arc<UrlConventions>>,
}

impl Learned {
    /// Combines a model, its report and the URL conventions.
    pub fn new(model: Model, report: Report, mut conventions: UrlConventions) -> Self {
        conventions.know(model.argument_names());
        if matches!(model, Model::Edits(_)) {
            // The gate has seen what becomes of all that its edits copy.
            conventions = conventions.without_delimiter_patterns();
        }
        let is_plain = matches!(model, Model::Identity | Model::TokenIdentity);
        let conventions = (!is_plain).then(|| Arc::new(conventions));
        Self { model, report, conventions }
    }
}

/// What will be served, without the guard of the site.
impl Canonicalizer for Learned {
    fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        match &self.conventions {
            Some(conventions) => {
                let Ok::<_, Infallible>(translation) =
                    normalize::canonicalize(conventions, &self.model, url, |url| {
                        Ok(self.model.rewrite(url))
                    });
                translation
            }
            None => self.model.rewrite(url),
        }
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        normalize::prepare(self.conventions.as_deref(), &self.model, urls);
    }
}
