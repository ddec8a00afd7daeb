//! The patterns of paths: which words stand in them.
//!
//! Below the host the words of a place do if there are few of them, or a large part of the URLs has them. Further down a
//! word is a part of the site's structure if a large part of all URLs has it, or if it stands below several texts: in
//! `/event/7/edit` and `/event/8/edit` it does, and the name of a product stands below its category alone.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use undust_url::query::path_and_query;
use undust_url::tokens::authority;

use crate::label::Label;

/// Most segments of a path that are distinguished.
pub(crate) const MOST_SEGMENTS: usize = 12;

/// Different words at one place up to which each may stand in the pattern.
const FEW_WORDS: usize = 16;

/// A word is large if one in `LARGE` URLs has it.
const LARGE: usize = 20;

/// Fewest URLs that have a word of a pattern, unless it is the only one at its place. Each `ONE_MORE` URLs in all
/// require one more.
const LEAST_URLS: usize = 3;
const ONE_MORE: usize = 1000;

/// The place of the first segment; the host is at 0.
const FIRST_SEGMENT: usize = 1;

/// The host of a URL, and the segments of its path without their parameters.
pub(crate) fn segments(url: &str) -> impl Iterator<Item = &str> {
    let (path, _) = path_and_query(url);
    let in_path = path.split('/').skip(1);
    let in_path =
        in_path.map(|segment| segment.split_once(';').map_or(segment, |(front, _)| front));
    std::iter::once(&url[authority(url)]).chain(in_path)
}

/// The patterns of paths as a tree.
pub(crate) struct Paths<'u> {
    /// The node above, and the label; the root has no label of its own.
    nodes: Vec<(u32, Label<'u>)>,
    /// The node of each URL.
    pub(crate) node_of: Vec<u32>,
}

/// A URL at one place of its path.
struct Found<'u> {
    url: u32,
    text: &'u str,
    label: Label<'u>,
}

/// The words that stand below one node.
#[derive(Default)]
struct Words<'u> {
    words: FxHashMap<&'u str, Word>,
    urls: usize,
}

/// What is known of a word at its place.
struct Word {
    urls: usize,
    /// The hash of the texts above it, and whether it has stood below others, too.
    above: u64,
    has_several: bool,
}

impl<'u> Words<'u> {
    fn add(&mut self, text: &'u str, above: u64) {
        let new = Word { urls: 0, above, has_several: false };
        let word = self.words.entry(text).or_insert(new);
        word.urls += 1;
        word.has_several |= word.above != above;
        self.urls += 1;
    }

    /// Whether a word stands in the pattern; `all` URLs there are in all.
    fn is_kept(&self, text: &str, level: usize, all: usize) -> bool {
        let Some(word) = self.words.get(text) else { return false };
        let is_few = self.words.len() <= FEW_WORDS;
        let is_large = word.urls * LARGE >= self.urls;
        let is_structure = match level {
            0..=FIRST_SEGMENT => is_few || is_large,
            _ => word.urls * LARGE >= all || word.has_several && (is_few || is_large),
        };
        self.words.len() == 1 || is_structure && word.urls >= LEAST_URLS.max(all / ONE_MORE)
    }
}

impl<'u> Paths<'u> {
    /// The patterns of the paths of URLs. Linear in their length.
    pub(crate) fn of(urls: &[&'u str]) -> Self {
        let root = (0, Label::Text(""));
        let mut paths = Self { nodes: vec![root], node_of: vec![0; urls.len()] };
        let mut rests: Vec<_> = urls.iter().map(|url| segments(url)).collect();
        let mut above = vec![0; urls.len()];
        let mut open: Vec<u32> = (0..urls.len() as u32).collect();
        for level in 0..=MOST_SEGMENTS {
            let mut found = Vec::with_capacity(open.len());
            open.retain(|url| {
                let text = rests[*url as usize].next();
                found.extend(text.map(|text| Found { url: *url, text, label: Label::of(text) }));
                text.is_some()
            });
            paths.descend(&found, level, &mut above);
        }
        paths
    }

    /// Goes on to the next node with each URL that has a text there. `above` are hashes of the texts before.
    fn descend(&mut self, found: &[Found<'u>], level: usize, above: &mut [u64]) {
        let all = self.node_of.len();
        let mut words = FxHashMap::<u32, Words<'u>>::default();
        for Found { url, text, .. } in found.iter().filter(|found| found.label.is_word()) {
            let node = self.node_of[*url as usize];
            words.entry(node).or_default().add(text, above[*url as usize]);
        }
        let mut below = FxHashMap::<(u32, Label<'u>), u32>::default();
        for &Found { url, text, label } in found {
            let node = &mut self.node_of[url as usize];
            let is_kept = |words: &Words<'u>| words.is_kept(text, level, all);
            let label = match label {
                _ if level == MOST_SEGMENTS => Label::Rest,
                _ if label.is_word() && words.get(node).is_some_and(is_kept) => Label::Text(text),
                _ => label,
            };
            *node = *below.entry((*node, label)).or_insert_with(|| {
                self.nodes.push((*node, label));
                self.nodes.len() as u32 - 1
            });
            let above = &mut above[url as usize];
            *above = xxh3_64_with_seed(text.as_bytes(), *above);
        }
    }

    /// The nodes from the host to a node.
    pub(crate) fn chain(&self, mut node: u32) -> Vec<u32> {
        let mut chain = Vec::new();
        while node != 0 {
            chain.push(node);
            node = self.nodes[node as usize].0;
        }
        chain.reverse();
        chain
    }

    /// The label of a node.
    pub(crate) fn label(&self, node: u32) -> Label<'u> {
        self.nodes[node as usize].1
    }

    /// The labels from the host to a node.
    pub(crate) fn labels(&self, node: u32) -> Vec<Label<'u>> {
        self.chain(node).into_iter().map(|node| self.label(node)).collect()
    }
}
