//! Who proposes that URLs show one page, beyond what the model applies.

mod any_host;
mod deletions;
mod drawn;
mod kind;
mod one_page;
mod repeated;
mod unproven;

use std::fmt;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

pub use self::any_host::AnyHost;
pub use self::deletions::Deletions;
use self::drawn::is_drawn;
pub use self::kind::Kind;
pub(super) use self::kind::Spread;
pub use self::one_page::OnePage;
pub use self::unproven::Unproven;
use super::classes::{Class, Origin, Trust};
use super::folder::Folder;
use super::secret::Secret;

/// Proposes forms for URLs. None of them is believed as it is: a form is probed, and believed as
/// far as the URLs that got it showed one page.
pub trait Propose: Send + Sync {
    /// Appends the forms that it proposes for a URL, which comes in the form that the model gives
    /// it.
    fn propose(&self, url: &str, proposals: &mut Proposals);
}

/// Forms that are proposed for one URL.
#[derive(Default)]
pub struct Proposals {
    secret: Secret,
    folder: Folder,
    text: String,
    all: Vec<Proposal>,
    origin: Origin,
    is_drawn: bool,
}

/// One of them.
#[derive(Debug, Clone)]
pub(super) struct Proposal {
    /// Hash of the form.
    pub form: u64,
    /// Of the form, and what brought it about.
    pub group: u64,
    pub class: Class,
    /// Whether what it leaves out names no page: it looks drawn at random, or repeats.
    pub is_drawn: bool,
    form_text: Range<usize>,
    hypothesis: Range<usize>,
}

impl Proposals {
    /// None yet; forms are hashed by this secret.
    pub(super) fn new(secret: Secret) -> Self {
        Self { secret, ..Self::default() }
    }

    /// Begins with a URL of this folder.
    pub(super) fn begin(&mut self, folder: Folder) {
        self.folder = folder;
        self.text.clear();
        self.all.clear();
    }

    /// Says where the hypotheses come from that are added from now on.
    pub(super) fn come_from(&mut self, origin: Origin) {
        self.origin = origin;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Proposal> {
        self.all.iter()
    }

    pub(super) fn form(&self, proposal: &Proposal) -> &str {
        &self.text[proposal.form_text.clone()]
    }

    pub(super) fn hypothesis(&self, proposal: &Proposal) -> &str {
        &self.text[proposal.hypothesis.clone()]
    }

    /// Says what part of the URL the next form leaves out.
    pub(super) fn leaves_out(&mut self, part: &str) {
        self.is_drawn = is_drawn(part);
    }

    /// Adds a form, given in parts. URLs are in one group if they get one form by one hypothesis,
    /// whose name also comes in parts. The tests of a hypothesis are pooled by the kind of URL,
    /// narrow and wide; then those of all kinds; then those of all hypotheses of one `sort`.
    pub fn add(&mut self, form: &[&str], hypothesis: &[&str], kind: &Kind, sort: &str) {
        let form_text = self.push(form);
        let hypothesis = self.push(hypothesis);
        let form = self.secret.hash(&self.text[form_text.clone()]);
        let by = xxh3_64(&self.text.as_bytes()[hypothesis.clone()]);
        let chain = kind.chain(by, xxh3_64(sort.as_bytes()));
        let class = Class {
            chain,
            folder: self.folder,
            spread: kind.spread(),
            trust: Trust::Proposed,
            origin: self.origin,
        };
        let group = form ^ by.rotate_left(17);
        let is_drawn = std::mem::take(&mut self.is_drawn);
        self.all.push(Proposal { form, group, class, is_drawn, form_text, hypothesis });
    }

    fn push(&mut self, parts: &[&str]) -> Range<usize> {
        let start = self.text.len();
        parts.iter().for_each(|part| self.text.push_str(part));
        start..self.text.len()
    }
}

/// The forms, each with its hypothesis.
impl fmt::Debug for Proposals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |proposal| (self.hypothesis(proposal), self.form(proposal));
        f.debug_list().entries(self.all.iter().map(pair)).finish()
    }
}
