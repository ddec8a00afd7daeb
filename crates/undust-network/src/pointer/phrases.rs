//! The texts that the network may insert.

use rustc_hash::FxHashMap;

use undust_decoder::pointer::decode::Written;

use super::alignment::Step;

/// Phrases that are learned: each is one more answer that a step may have.
const MOST_PHRASES: usize = 64;
/// A text that sources lack is learned if pairs of this many clusters insert it,
const MIN_SOURCES: usize = 3;
/// or this many pairs of any.
pub(crate) const MIN_HUB: usize = 20;

/// The texts that the network may insert, by number.
#[derive(Debug)]
pub(crate) struct Phrases<'c> {
    texts: Vec<String>,
    numbers: FxHashMap<&'c str, u16>,
}

/// What a draft of this source inserts.
pub(crate) fn needed<'c>(steps: &[Step<'c>], source: u32) -> impl Iterator<Item = (&'c str, u32)> {
    steps.iter().filter_map(move |step| match *step {
        Step::Insert(text) => Some((text, source)),
        Step::Copy(_) => None,
    })
}

impl<'c> Phrases<'c> {
    /// Those that enough sources need, which are clusters or sites, or that are needed often, whoever
    /// needs them; the most frequent first. What a smaller cluster alone needs is the name of one
    /// page, which no function of other strings finds.
    pub(crate) fn learn(needs: impl Iterator<Item = (&'c str, u32)>) -> Self {
        let mut sources: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        needs.for_each(|(text, source)| sources.entry(text).or_default().push(source));
        let mut frequent: Vec<(usize, &str)> = Vec::new();
        for (text, mut sources) in sources {
            let needs = sources.len();
            sources.sort_unstable();
            sources.dedup();
            if sources.len() >= MIN_SOURCES || needs >= MIN_HUB {
                frequent.push((needs, text));
            }
        }
        frequent.sort_unstable_by(|a, b| (b.0, a.1).cmp(&(a.0, b.1)));
        frequent.truncate(MOST_PHRASES);
        let texts = frequent.iter().map(|(_, text)| (*text).to_owned()).collect();
        let numbers = (0..).zip(frequent).map(|(number, (_, text))| (text, number)).collect();
        Self { texts, numbers }
    }

    /// What is written; nothing where a phrase is not among these.
    pub(crate) fn written(&self, steps: &[Step<'_>]) -> Option<Vec<Written>> {
        let written = |step: &Step<'_>| match step {
            Step::Copy(place) => Some(Written::Copy(*place)),
            Step::Insert(text) => self.numbers.get(text).map(|number| Written::Phrase(*number)),
        };
        steps.iter().map(written).collect()
    }

    /// By number.
    pub(crate) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}
