//! The edits of a site as a list: training writes it, an [`Editor`](crate::editor::Editor) applies it, a file holds it.

use rustc_hash::FxHashSet;
use undust_url::lexicon::Lexicon;

use crate::accepted::AcceptedEdit;
use crate::gate_record::GateRecord;
use crate::known_values::KnownValues;
use crate::literals::Literals;
use crate::scope::ContextFeature;

/// An accepted edit, and URLs that it changed, each with its form.
pub type WithExamples = (AcceptedEdit, Vec<[String; 2]>);

/// The edits of a site, and what they refer to.
#[derive(Debug, Clone)]
pub struct EditList {
    /// The words of the site.
    pub lexicon: Lexicon,
    /// The texts that the edits write.
    pub literals: Literals,
    /// The accepted edits, in the order in which they are applied.
    pub accepted: Vec<WithExamples>,
    /// What is kept of the crawl, and what was refused.
    pub record: GateRecord,
    /// The values that are known to name one page, for the edits that ask for them.
    pub known_values: Vec<KnownValues>,
}

impl EditList {
    /// The list without the accepted edits at these positions, and without known values that no
    /// edit needs any more.
    pub fn without(mut self, places: &FxHashSet<usize>) -> Self {
        let mut place = 0..;
        self.accepted.retain(|_| place.next().is_some_and(|place| !places.contains(&place)));
        let accepted = self.accepted.iter().map(|(accepted, _)| &accepted.scope);
        let scopes = accepted.chain(self.record.refused.iter().map(|refused| &refused.scope));
        let asked: Vec<ContextFeature> =
            scopes.filter_map(|scope| scope.context_feature()).collect();
        self.known_values.retain(|list| asked.contains(&ContextFeature::Known(list.attribute)));
        self
    }
}
