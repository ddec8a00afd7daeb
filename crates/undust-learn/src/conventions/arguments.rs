//! The names of a site's query arguments, and the order in which training saw them.

use rustc_hash::FxHashMap;
use undust_edits::conventions::arguments::Arguments;
use undust_edits::conventions::pairs::Pairs;
use undust_edits::conventions::query::{Query, sort_by_key};
use undust_url::query::Argument;
use xxhash_rust::xxh3::xxh3_64;

use super::order::{Groups, Precedence};
use super::pairs::{Images, LabelledUrl};

/// More names than these are no names: the site puts data there.
const MOST_NAMES: usize = 1 << 14;

/// Nothing where there are too many names. Linear in the URLs; without `trusts_pairs` no
/// training URL will be changed.
pub(super) fn learn(urls: &[LabelledUrl<'_>], trusts_pairs: bool) -> Option<Arguments> {
    let mut names = Names::default();
    for (url, _) in urls {
        names.add(url);
        if names.numbers.len() > MOST_NAMES {
            return None;
        }
    }
    let groups = names.seen.groups(names.numbers.len());
    let arguments = names.in_groups(&groups, Pairs::default());
    let pairs = pairs_of_orders(&arguments, urls);
    Some(if trusts_pairs && pairs.suffice() {
        names.in_groups(&names.seen.one_by_one(&groups), pairs)
    } else {
        Arguments { pairs, ..arguments }
    })
}

/// Pairs of URLs that differ in the order of their arguments alone.
fn pairs_of_orders(arguments: &Arguments, urls: &[LabelledUrl<'_>]) -> Pairs {
    let (mut images, mut pairs) = (Images::default(), Pairs::default());
    for (url, page) in urls {
        let Some(mut query) = Query::of(url).filter(Query::can_be_sorted) else { continue };
        let group = |argument: &Argument<'_>| arguments.groups.get(argument.name?);
        let is_contested = |pair: &[Argument<'_>]| {
            pair[0].name != pair[1].name && group(&pair[0]) == group(&pair[1])
        };
        sort_by_key(&mut query.arguments, |argument| (group(argument), argument.name));
        if query.arguments.windows(2).any(is_contested) {
            images.add(xxh3_64(query.written().as_bytes()), *page, &mut pairs);
        }
    }
    pairs
}

/// The names of a site while they are collected.
#[derive(Default)]
struct Names<'u> {
    numbers: FxHashMap<&'u str, u32>,
    seen: Precedence,
    bare: bool,
}

impl<'u> Names<'u> {
    fn add(&mut self, url: &'u str) {
        let Some(query) = Query::of(url) else { return };
        let mut sequence = Vec::new();
        for argument in &query.arguments {
            match argument.name {
                Some(name) => sequence.push(self.number(name)),
                None => self.bare |= !argument.text.is_empty(),
            }
        }
        if query.can_be_sorted() {
            self.seen.add(&sequence);
        }
    }

    fn number(&mut self, name: &'u str) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(name).or_insert(next)
    }

    fn in_groups(&self, groups: &Groups, pairs: Pairs) -> Arguments {
        let mut places = vec![0; self.numbers.len()];
        for (place, group) in (0..).zip(groups) {
            group.iter().for_each(|number| places[*number as usize] = place);
        }
        let groups = self.numbers.iter();
        let groups =
            groups.map(|(name, number)| ((*name).into(), places[*number as usize])).collect();
        Arguments { groups, bare: self.bare, pairs }
    }
}
