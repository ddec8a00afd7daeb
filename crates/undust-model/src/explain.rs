//! Why a URL gets its form: every step to it, and what was proposed and refused.

mod text;

use serde::Serialize;

use crate::folder::files::load_from;
use crate::folder::info::ModelInfo;
use crate::operation::{DisabledOperation, OperationName};
use crate::registry::{LookupError, Registry};
use crate::site_model::SiteModel;
use crate::translation::{Applied, Canonicalizer, Translation};
use undust_edits::conventions::ConventionEvidence;
use undust_edits::editor::{EditDescription, RefusalDescription};

/// Why a URL gets its form: every step, its evidence, and the edits that were proposed and refused.
/// Serialised as `undust explain --format json` prints it.
#[derive(Debug, Default, Serialize)]
pub struct Explanation {
    pub(crate) url: String,
    pub(crate) canonical: String,
    pub(crate) how: &'static str,
    /// Why the method did not change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// That of the network's answer, whatever became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) probability: Option<f32>,
    /// What is wrong with the model, if something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// The model for its site.
    pub(crate) model: Option<ModelFacts>,
    /// From the URL to its form, in order.
    pub(crate) steps: Vec<StepDescription>,
    /// What would have been applied, and is switched off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) switched_off: Vec<DisabledOperation>,
    /// What would have changed the form, and was refused. Only edits are kept with their refusals.
    pub(crate) refused: Vec<RefusalDescription>,
    /// Whether the model keeps what was refused.
    pub(crate) keeps_refusals: bool,
}

/// What was done with a URL, and why.
#[derive(Debug, Serialize)]
pub(crate) struct StepDescription {
    #[serde(flatten)]
    pub edit: EditDescription,
    /// The evidence of a URL convention.
    #[serde(rename = "seen", skip_serializing_if = "Option::is_none")]
    pub convention: Option<ConventionEvidence>,
}

impl StepDescription {
    fn of(step: &dyn Applied) -> Self {
        Self { edit: EditDescription::of(step), convention: None }
    }
}

/// What is known of a model.
#[derive(Debug, Serialize)]
pub(crate) struct ModelFacts {
    pub site: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<usize>,
}

impl ModelFacts {
    /// What the folder of a site says, as far as it can be read.
    fn read(registry: &Registry, site: &str) -> Self {
        let info = registry.describe(site).and_then(|model| model.info.ok());
        let (pages, clusters) = info.as_ref().map(ModelInfo::counts).unwrap_or_default();
        let method = info.map(|info| info.method);
        Self { site: site.to_owned(), method, pages, clusters }
    }
}

impl Registry {
    /// Explains a URL by the model of its site. Reads `model.json` each time, and the whole model
    /// if an operation is switched off. This takes far longer than a translation: it is for people,
    /// not for queues.
    pub fn explain(&self, url: &str) -> Explanation {
        match self.model(url) {
            Ok(model) => {
                let mut described = explanation(url, &model.canonicalize(url));
                describe_conventions(&mut described.steps, &model, url);
                let (keeps_refusals, refused) = refusals(&model, url);
                let switched_off = switched_off(self, &model, url);
                let model = Some(ModelFacts::read(self, &model.site));
                Explanation { model, switched_off, refused, keeps_refusals, ..described }
            }
            Err(LookupError { reason, error }) => Explanation {
                error: error.map(|error| error.to_string()),
                ..explanation(url, &Translation::unchanged(url, reason))
            },
        }
    }
}

fn explanation(url: &str, translation: &Translation<'_>) -> Explanation {
    let (how, reason) = translation.how.describe();
    Explanation {
        url: url.to_owned(),
        canonical: translation.canonical.clone().into_owned(),
        how,
        reason,
        probability: translation.cause.probability(),
        steps: translation.cause.steps().map(StepDescription::of).collect(),
        ..Explanation::default()
    }
}

/// Adds what training saw of the conventions of the site.
fn describe_conventions(steps: &mut [StepDescription], model: &SiteModel, url: &str) {
    let evidence = model.conventions.as_ref().map(|conventions| conventions.evidence(url));
    let evidence = evidence.unwrap_or_default();
    for described in steps {
        let normalized =
            evidence.iter().find(|(step, _)| step.to_string() == described.edit.notation);
        described.convention = normalized.and_then(|(_, evidence)| *evidence);
    }
}

/// What is switched off and would be applied to `url` by the model as it was learned.
fn switched_off(registry: &Registry, model: &SiteModel, url: &str) -> Vec<DisabledOperation> {
    let disabled = &model.disabled.operations;
    if disabled.is_empty() {
        return Vec::new();
    }
    let loaded = registry.sites.source(&model.site).and_then(|source| load_from(&source));
    let Ok((_, conventions, whole)) = loaded else { return Vec::new() };
    let done = whole.canonicalize(conventions.as_ref(), url);
    let applied: Vec<_> = done.cause.steps().map(OperationName::of).collect();
    disabled.iter().filter(|disabled| applied.contains(&disabled.name)).cloned().collect()
}

fn refusals(model: &SiteModel, url: &str) -> (bool, Vec<RefusalDescription>) {
    match model.model.editor() {
        Some(_) if model.excepts(url) => (true, Vec::new()),
        Some(editor) => (true, editor.refusals_of(&model.normalized(url))),
        None => (false, Vec::new()),
    }
}
