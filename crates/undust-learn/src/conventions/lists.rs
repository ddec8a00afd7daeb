//! Values that are lists whose order says nothing, each name tested alone on pairs of URLs.

use rustc_hash::{FxHashMap, FxHashSet};
use undust_edits::conventions::lists::{
    List, Lists, Name, Separator, holds_separator, named_values, with_sorted,
};
use undust_edits::conventions::pairs::Pairs;
use undust_util::op_counter;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::folders::{Folders, folder};
use super::pairs::{Images, LabelledUrl};
use crate::ordered::distinct;

/// Most named values of a training URL that are looked at.
const MOST_VALUES: usize = 16;

/// Most lists of a training URL that are tested; each costs a hash of the URL.
const MOST_LISTS: usize = 4;

/// More names of values that look like lists out of order are no names: the site puts data there.
const MOST_NAMES: usize = 1 << 12;

/// Those that pairs of enough pages show, and none refutes. Linear in the URLs, of which it holds
/// 16 bytes for each list.
pub(super) fn learn(urls: &[LabelledUrl<'_>]) -> Lists {
    let Some(mut found) = out_of_order(urls).filter(|found| !found.is_empty()) else {
        return Lists::default();
    };
    let mut images = Images::default();
    // A log-in page under any URL would show for any list that its order says nothing.
    let mut agreed: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut folders: FxHashMap<u32, Folders> = FxHashMap::default();
    for (url, page) in urls {
        let mut lists = distinct(lists(url).filter(|list| found.contains_key(list)));
        lists.truncate(MOST_LISTS);
        op_counter::count(1 + lists.len());
        for list in lists {
            let Some((number, pairs)) = found.get_mut(&list) else { continue };
            let folders = folders.entry(*number).or_default();
            folders.see(folder(url));
            let image = with_sorted(url, |name| (name == list.0).then_some(list.1));
            let image = image.map_or_else(|| (*url).to_string(), |(image, _)| image);
            let seed = u64::from(*number);
            let Some(same) = images.pair(xxh3_64_with_seed(image.as_bytes(), seed), *page) else {
                continue;
            };
            if same {
                folders.test(folder(url));
            }
            if !same || agreed.insert((*number, *page)) {
                pairs.count(same);
            }
        }
    }
    let mut taken = Lists::default();
    for ((name, separator), (number, pairs)) in found {
        let speak_for_all = folders.get(&number).is_some_and(Folders::speak_for_all);
        if pairs.suffice() && speak_for_all {
            take(&mut taken, name, List { separator, pairs });
        }
    }
    taken
}

/// A name has one separator: sorted by two, one after the other, items would find no end. That of
/// most pairs is taken, of equals the first.
fn take(lists: &mut Lists, name: Name<'_>, list: List) {
    let (names, name) = match name {
        Name::Argument(name) => (&mut lists.arguments, name),
        Name::Segment(name) => (&mut lists.segments, name),
    };
    let better = |list: &List| (list.pairs.same, std::cmp::Reverse(list.separator));
    let known = names.entry(name.into()).or_insert(list);
    if better(&list) > better(known) {
        *known = list;
    }
}

/// Lists that training saw out of order: without one there is no pair. Each gets a number. Nothing
/// where there are too many.
fn out_of_order<'u>(
    urls: &'u [LabelledUrl<'_>],
) -> Option<FxHashMap<(Name<'u>, Separator), (u32, Pairs)>> {
    let mut found = FxHashMap::default();
    for (url, _) in urls.iter().filter(|(url, _)| holds_separator(url.as_bytes())) {
        for (name, span) in named_values(url).take(MOST_VALUES) {
            for separator in name.separators() {
                if separator.sorted(&url[span.clone()]).is_some() {
                    let number = found.len() as u32;
                    found.entry((name, *separator)).or_insert((number, Pairs::default()));
                }
            }
        }
        if found.len() > MOST_NAMES {
            return None;
        }
    }
    Some(found)
}

/// The lists of a URL, by all separators.
fn lists(url: &str) -> impl Iterator<Item = (Name<'_>, Separator)> {
    let values = holds_separator(url.as_bytes()).then(|| named_values(url).take(MOST_VALUES));
    values.into_iter().flatten().flat_map(move |(name, span)| {
        let is_list = move |by: &Separator| by.items(&url[span.clone()]).is_some();
        name.separators().iter().copied().filter(is_list).map(move |separator| (name, separator))
    })
}

#[cfg(test)]
mod tests;
