//! The model of one site, with the checks of its answers: what is served is what is tested.

use std::borrow::Cow;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use undust_url::normal::normal;
use undust_url::site::{SiteBy, site_of};
use undust_url::tokens::{authority, same_server};

use super::folder::files::{load, model_files, save_files};
use super::folder::info::ModelInfo;
use super::folder::sites::Sites;
use super::model::Model;
use super::normalize;
use super::operation::{Disabled, OperationName};
use crate::error::{Error, ModelReason, Result};
use crate::translation::{Canonicalizer, How, Reason, Rewriter, Translation};
use undust_edits::conventions::UrlConventions;
use undust_edits::editor::Hypothesis;
use undust_rules::measured::MeasuredRule;
use undust_util::cache::MemoryLimit;

/// The model of a site, behind its guard: it never returns a URL of another site, or a text that
/// is no URL.
#[derive(Debug)]
pub struct SiteModel {
    /// The site's name.
    pub site: Arc<str>,
    /// How the site writes its URLs, if that was learned.
    pub conventions: Option<Arc<UrlConventions>>,
    /// The guarded model.
    pub model: Model,
    /// The operations that are switched off.
    pub disabled: Disabled,
    /// What its folder says of it, if it was learned, or loaded alone.
    pub info: Option<ModelInfo>,
    scope: SiteScope,
    /// What is switched off and is no rule or edit: no answer that it had a part in is taken.
    refused: FxHashSet<OperationName>,
}

/// Which URLs are of the site.
#[derive(Debug)]
pub(crate) enum SiteScope {
    /// This site's model translates them.
    Registered(Arc<Sites>),
    /// Those of these sites: a crawl of several hosts may be evaluated as one site.
    AnyOf(Arc<FxHashSet<Box<str>>>, SiteBy),
}

impl SiteModel {
    /// Guards a model of these sites. If conventions are given, the model gets normalised URLs.
    pub fn new(
        site: &str,
        (sites, by): (Arc<FxHashSet<Box<str>>>, SiteBy),
        conventions: Option<Arc<UrlConventions>>,
        model: Model,
    ) -> Self {
        Self::within(SiteScope::AnyOf(sites, by), site, conventions, model)
    }

    /// Guards a model of the URLs of a scope.
    pub(crate) fn within(
        scope: SiteScope,
        site: &str,
        conventions: Option<Arc<UrlConventions>>,
        model: Model,
    ) -> Self {
        Self {
            site: site.into(),
            conventions,
            model,
            scope,
            disabled: Disabled { model: String::new(), operations: Vec::new() },
            refused: FxHashSet::default(),
            info: None,
        }
    }

    /// The same without what is switched off.
    pub(crate) fn without(mut self, disabled: Disabled) -> Self {
        let (places, found) = self.model.places_of(&disabled);
        let names = disabled.operations.iter().map(|operation| &operation.name);
        self.refused = names.filter(|name| !found.contains(name)).cloned().collect();
        if !places.is_empty() {
            self.model = self.model.without(&places);
        }
        Self { disabled, ..self }
    }

    /// The same, but that each edit applies in all of its scope, where it was not tested, too: what it makes of a
    /// URL there is a hypothesis.
    pub(crate) fn extrapolating(self) -> Self {
        Self { model: self.model.extrapolating(), ..self }
    }

    /// Counts what it remembers together with what other models do.
    pub(super) fn sharing(self, limit: &Arc<MemoryLimit>) -> Self {
        self.model.cache().inspect(|cache| cache.share(limit));
        self
    }

    /// Whether training saw a URL of this one's shape; none where the model keeps no shapes.
    pub(crate) fn knows_shape(&self, url: &str) -> Option<bool> {
        match &self.model {
            Model::Edits(editor) => editor.knows_shape(&self.normalized(url)),
            Model::Pointer(translator) => translator.knows_shape(&self.normalized(url)),
            _ => None,
        }
    }

    /// Whether the settings except it.
    pub(crate) fn excepts(&self, url: &str) -> bool {
        self.conventions.as_ref().is_some_and(|conventions| conventions.excepts(url))
    }

    /// What the model behind the guard makes of a URL.
    pub(crate) fn normalized<'u>(&self, url: &'u str) -> Cow<'u, str> {
        self.conventions
            .as_ref()
            .map_or(Cow::Borrowed(url), |conventions| conventions.normalize(url).url)
    }

    /// The hypotheses for `url`: edits that would change its form and were tested too little, each
    /// with the form that it would give, which is of the same site. Empty if the model has no
    /// edits.
    pub fn hypotheses(&self, url: &str) -> Vec<Hypothesis> {
        let Some(editor) = self.model.editor().filter(|_| !self.excepts(url)) else {
            return Vec::new();
        };
        let mut found = editor.hypotheses(&self.normalized(url));
        let canonical = self.canonicalize(url).canonical;
        for hypothesis in &mut found {
            let form = self.canonicalize(&hypothesis.form).canonical.into_owned();
            hypothesis.form = form;
        }
        found.retain(|one| one.form != canonical && self.is_in_scope(&one.form));
        found
    }

    /// What a rule alone makes of `url` after normalisation; none if it changes nothing or leads to
    /// another site.
    pub fn image(&self, rule: &MeasuredRule, url: &str) -> Option<String> {
        let image = rule.rule.apply(&self.normalized(url))?;
        (image != url && self.is_in_scope(&image)).then_some(image)
    }

    fn is_in_scope(&self, url: &str) -> bool {
        match &self.scope {
            SiteScope::Registered(sites) => {
                sites.find_site(url).is_ok_and(|(site, _)| *site == *self.site)
            }
            SiteScope::AnyOf(sites, by) => {
                site_of(url, *by).is_some_and(|site| sites.contains(&*site))
            }
        }
    }
}

impl SiteModel {
    /// The form of `url`; none if a network must decode its template first.
    pub(crate) fn canonicalize_known<'u>(&self, url: &'u str) -> Option<Translation<'u>> {
        self.canonicalize_by(url, |url| self.model.canonicalize_known(url).ok_or(())).ok()
    }

    /// Appends the form of `url` to `text` if its shape determines it; how it was found. That is the
    /// form which [`canonicalize_known`](Self::canonicalize_known) gives, and costs half. Such a form has
    /// its URL's host, so that nobody need ask whose it is.
    pub(crate) fn write_by_shape(&self, url: &str, text: &mut Vec<u8>) -> Option<How> {
        let conventions = self.conventions.as_ref().filter(|_| self.refused.is_empty())?;
        let before = text.len();
        let how = self.model.editor()?.write_by_shape(conventions, url, text)?;
        if ends_in_white_space(text) && !matches!(how, How::Unchanged(_)) {
            text.truncate(before);
            return None;
        }
        Some(how)
    }

    fn canonicalize_by<'u, E>(
        &self,
        url: &'u str,
        ask: impl Fn(&str) -> Result<Translation<'_>, E>,
    ) -> Result<Translation<'u>, E> {
        let model = &self.model;
        let translation = match &self.conventions {
            Some(conventions) => normalize::canonicalize_by(conventions, model, url, |url| {
                Ok(self.guarded(url, ask(url)?))
            })?,
            None => self.guarded(url, ask(url)?),
        };
        Ok(if self.refuses(&translation) {
            translation.refused(url, Reason::DisabledOperation)
        } else if ends_in_white_space(translation.canonical.as_bytes())
            && translation.canonical != url
        {
            translation.refused(url, Reason::Unstable)
        } else {
            translation
        })
    }

    fn refuses(&self, translation: &Translation<'_>) -> bool {
        let is_refused = |step| self.refused.contains(&OperationName::of(step));
        !self.refused.is_empty() && translation.cause.steps().any(is_refused)
    }

    /// Whether a form may name another server than its URL: one of the site that training saw.
    fn may_move_to(&self, form: &str) -> bool {
        let is_known = |conventions: &Arc<UrlConventions>| conventions.hosts.know_server(form);
        self.conventions.as_ref().is_some_and(is_known) && self.is_in_scope(form)
    }

    fn guarded<'u>(&self, url: &'u str, translation: Translation<'u>) -> Translation<'u> {
        match &translation.canonical {
            Cow::Owned(form)
                if form != url && !same_server(url, form) && !self.may_move_to(form) =>
            {
                translation.refused(url, Reason::OtherSite)
            }
            _ => translation,
        }
    }
}

impl SiteModel {
    /// Whether this URL belongs to the `share` of changed URLs that are fetched anyway, to test
    /// whether the model still holds. The choice is fixed until the next training. A URL that only
    /// its normal form changes is never chosen: it is the same page on any server.
    pub fn explores(&self, url: &str, translation: &Translation<'_>, share: f64) -> bool {
        share > 0.0
            && translation.canonical != url
            && is_drawn(url, xxh3_64(self.disabled.model.as_bytes()), share)
            && translation.canonical != normal(url)
    }
}

impl SiteModel {
    /// Loads the folder of a model, `models/<site>/`, with what `undust observe` switched off.
    ///
    /// # Errors
    ///
    /// No such folder, a folder of another format, a damaged file.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        let disabled = Disabled::read(folder)?;
        let (info, conventions, model) = load(folder)?;
        let alone = Arc::new([info.site.as_str().into()].into_iter().collect());
        let model = Self::new(&info.site, (alone, info.site_by), conventions, model);
        Ok(Self { info: Some(info), ..model.without(disabled) })
    }

    /// Writes the folder of the model, in place of an older one at once. The last part of the
    /// path must be the site's name.
    ///
    /// # Errors
    ///
    /// Another name, a model without a record of its training, a folder that cannot be written.
    /// The old model then stays.
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        let folder = folder.as_ref();
        if folder.file_name().is_none_or(|name| name != &*self.site) {
            return Err(Error::at(folder, ModelReason::WrongName { site: self.site.to_string() }));
        }
        let Some(info) = &self.info else {
            return Err(Error::at(folder, ModelReason::NoRecord));
        };
        let models = folder.parent().unwrap_or(Path::new("."));
        let files = model_files(info, self.conventions.as_deref(), &self.model)?;
        save_files(models, &self.site, &files)
    }
}

/// A URL that cannot be translated stays unchanged; no answer is of another site.
impl Canonicalizer for SiteModel {
    fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        let Ok::<_, Infallible>(translation) =
            self.canonicalize_by(url, |url| Ok(self.model.rewrite(url)));
        translation
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        self.model.prepare_normalized(self.conventions.as_deref(), urls);
    }
}

/// Whether a form ends with white space, which a queue would not take for a part of it.
fn ends_in_white_space(form: &[u8]) -> bool {
    form.last().is_some_and(u8::is_ascii_whitespace)
}

/// Whether a URL is of the share that is drawn: always or never the same, whoever asks. Another
/// salt draws others.
fn is_drawn(url: &str, salt: u64, share: f64) -> bool {
    /// Of a hash: as many as a number with a fraction holds.
    const BITS: u32 = 53;
    let place = xxh3_64_with_seed(url.as_bytes(), salt) >> (u64::BITS - BITS);
    (place as f64) < share * (1_u64 << BITS) as f64
}

/// The scheme and authority with which a URL begins, if it does.
pub(crate) fn origin(url: &str) -> Option<&str> {
    Some(&url[..authority(url).end]).filter(|origin| !origin.is_empty())
}

/// Whether `url` begins with this [`origin`], byte for byte, and with nothing more. It is then of
/// the same site as all others that do.
pub(crate) fn is_of(url: &str, origin: &str) -> bool {
    let next = url.as_bytes().get(origin.len());
    url.starts_with(origin) && next.is_none_or(|byte| matches!(byte, b'/' | b'?' | b'#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_what_was_asked_for() {
        for share in [0.0, 0.02, 0.5, 1.0] {
            let drawn = (0..20_000).filter(|n| is_drawn(&format!("http://x/{n}"), 7, share));
            let of_all = drawn.count() as f64 / 20_000.0;
            // Six standard deviations and a half of the widest.
            assert!((of_all - share).abs() <= 0.0225, "{of_all} for {share}");
            assert!(share != share.round() || of_all == share, "{of_all} for {share}");
        }
    }

    #[test]
    fn a_smaller_share_is_part_of_a_larger_one_and_a_salt_draws_others() {
        let drawn = |salt, share| -> Vec<u32> {
            (0..5000).filter(|n| is_drawn(&format!("http://x/{n}"), salt, share)).collect()
        };
        let (few, many) = (drawn(1, 0.02), drawn(1, 0.1));
        assert!(!few.is_empty() && few.iter().all(|one| many.contains(one)));
        assert_ne!(drawn(2, 0.02), few);
    }
}
