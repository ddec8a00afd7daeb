//! Where the case of a path says nothing: pairs of URLs decide, place by place.

use rustc_hash::{FxHashMap, FxHashSet};
use undust_edits::conventions::case::{DEEPEST, Extent, Path, PathCase, is_token};
use undust_edits::conventions::pairs::Pairs;
use undust_util::op_counter;
use xxhash_rust::xxh3::xxh3_64;

use super::folders::{Folders, below};
use super::pairs::{LabelledUrl, pairs_by_image};

/// The places that pairs of enough pages show, and none refutes. Linear in the URLs, of which it
/// holds 16 bytes for each that has a capital in its path, and 24 for each pair and place.
pub(super) fn learn(urls: &[LabelledUrl<'_>]) -> PathCase {
    let mut counts = Counts::default();
    let image = |url: &str| {
        let path = Path::of(url)?;
        Some(path.image(url, &path.folded()?))
    };
    for (one, first) in pairs_by_image(urls, image) {
        let ((url, page), (first, first_page)) = (&urls[one], &urls[first]);
        counts.add(url, *page, first, *first_page);
    }
    if !counts.folders.is_empty() {
        urls.iter().for_each(|(url, _)| counts.see(url));
    }
    let Counts { mut extents, folders, .. } = counts;
    for (key, extent) in &mut extents {
        let number = xxh3_64(key.as_bytes());
        let holds = |depth: u8, is_token: bool, pairs: &Pairs| {
            let folders = folders.get(&(number, depth, is_token));
            pairs.suffice() && folders.is_some_and(Folders::speak_for_all)
        };
        extent.words.retain(|depth, pairs| holds(*depth, false, pairs));
        extent.tokens.retain(|depth, pairs| holds(*depth, true, pairs));
    }
    extents.retain(|_, extent| !extent.words.is_empty() || !extent.tokens.is_empty());
    PathCase(extents)
}

/// What pairs of URLs show.
#[derive(Default)]
struct Counts {
    extents: FxHashMap<Box<str>, Extent>,
    /// The pages whose pairs agreed, by hash of the extent, depth and kind. Each counts once: a log-in
    /// page under any URL would show for any place that case says nothing there.
    agreed: FxHashSet<(u64, u8, bool, u32)>,
    /// By hash of the extent, depth and kind: the folders.
    folders: FxHashMap<(u64, u8, bool), Folders>,
}

impl Counts {
    /// Counts two URLs, each with its page, that differ in the case of their paths alone, wherever they do.
    fn add(&mut self, url: &str, page: u32, first: &str, first_page: u32) {
        let (Some(one), Some(other)) = (Path::of(url), Path::of(first)) else { return };
        let key = one.extent();
        let number = xxh3_64(key.as_bytes());
        let extent = self.extents.entry(key.into()).or_default();
        let segments = one.segments().zip(other.segments());
        let mut parent = 0;
        for (depth, (one, other)) in (0..=DEEPEST).zip(segments) {
            let here = below(parent, one);
            let parent = std::mem::replace(&mut parent, here);
            if one == other {
                continue;
            }
            op_counter::count(1);
            let is_token = is_token(one) || is_token(other);
            let same = page == first_page;
            if same {
                self.folders.entry((number, depth, is_token)).or_default().test(parent);
            }
            if !same || self.agreed.insert((number, depth, is_token, page)) {
                let kind = if is_token { &mut extent.tokens } else { &mut extent.words };
                kind.entry(depth).or_default().count(same);
            }
        }
    }

    /// Notes the folders of a URL, at each depth.
    fn see(&mut self, url: &str) {
        let Some(path) = Path::of(url) else { return };
        let number = xxh3_64(path.extent().as_bytes());
        let mut parent = 0;
        for (depth, segment) in (0..=DEEPEST).zip(path.segments()) {
            for is_token in [false, true] {
                if let Some(folders) = self.folders.get_mut(&(number, depth, is_token)) {
                    folders.see(parent);
                }
            }
            parent = below(parent, segment);
        }
    }
}

#[cfg(test)]
mod tests;
