//! Kinds of sites whose pages an edit merges only where nobody has been yet: of each a hundred, half of whose pages are
//! unseen when it is learned.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::*;

/// Sites of each kind.
const SITES: u64 = 100;

/// URLs of a seen page that the crawl has, at most.
const MOST_URLS: usize = 3;

/// At most one page in so many may be lost: on one site in a hundred, all that was seen is the same
/// by chance.
const MOST_LOST: usize = 200;

/// What a site is drawn by.
struct Draw(u64);

impl Draw {
    fn any(&mut self) -> u64 {
        self.0 = xxh3_64(&self.0.to_le_bytes());
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.any() % end as u64) as usize
    }

    /// Some of these, in any order.
    fn some<T: Clone>(&mut self, all: &[T], most: usize) -> Vec<T> {
        let mut drawn: Vec<(u64, &T)> = all.iter().map(|one| (self.any(), one)).collect();
        drawn.sort_unstable_by_key(|(number, _)| *number);
        drawn.into_iter().take(most).map(|(_, one)| one.clone()).collect()
    }

    /// A name that no other page of a site has.
    fn name(&mut self, number: usize) -> String {
        format!("{}-{}-{number}x", WORDS[self.below(20)], WORDS[self.below(20)])
    }
}

const WORDS: [&str; 20] = [
    "alder", "apple", "ash", "aspen", "beech", "birch", "cedar", "date", "elm", "fig", "fir",
    "hazel", "holly", "larch", "maple", "oak", "pear", "pine", "plum", "yew",
];

/// The pages of a site, by their URLs.
type Site = Vec<Vec<String>>;

fn url(rest: impl std::fmt::Display) -> String {
    format!("http://a.test/{rest}")
}

/// Topics of one page and of several: those of which the crawl has most have several.
fn topics(draw: &mut Draw) -> Site {
    let (of_page, most) = (10 + draw.below(10), 2 + draw.below(2));
    let mut page = |topic: usize, page: usize| {
        let posts: Vec<usize> = (0..of_page).map(|post| page * of_page + post).collect();
        let posts = draw.some(&posts, 3).into_iter();
        let posts = posts.map(|post| url(format_args!("topic?t={topic}&p={}", topic * 100 + post)));
        posts.chain([url(format_args!("topic?t={topic}&start={}", page * of_page))]).collect()
    };
    (0..60)
        .flat_map(|topic| (0..most).map(move |at| (topic, at)))
        .map(|(t, at)| page(t, at))
        .collect()
}

/// Products of several categories, and the lists of these, which have the same words in their paths.
fn subcategories(draw: &mut Draw) -> Site {
    let (categories, parts) = WORDS.split_at(6 + draw.below(5));
    let parts = &parts[..8];
    let lists = categories.iter().flat_map(|category| {
        parts.iter().map(move |part| vec![url(format_args!("shop/{category}/{part}"))])
    });
    let lists: Site = lists.collect();
    let product = |number: usize| {
        let name = draw.name(number);
        let mut path = || {
            let (category, part) = (draw.below(categories.len()), draw.below(parts.len()));
            url(format_args!("shop/{}/{}/{name}", categories[category], parts[part]))
        };
        (0..3).map(|_| path()).collect()
    };
    (0..200).map(product).chain(lists).collect()
}

/// Things of which some are in two of four folders, as one page; every eighth is two pages.
fn folders(draw: &mut Draw) -> Site {
    const FOLDERS: [&str; 4] = ["men", "women", "kids", "sale"];
    let things = 40 + draw.below(30);
    let pages = |number: usize| -> Site {
        let name = draw.name(number);
        let folders = draw.some(
            &FOLDERS,
            if number.is_multiple_of(8) || number.is_multiple_of(3) { 2 } else { 1 },
        );
        let urls = folders.into_iter().map(|folder| url(format_args!("{folder}/{name}")));
        if number.is_multiple_of(8) {
            urls.map(|one| vec![one]).collect()
        } else {
            vec![urls.collect()]
        }
    };
    (0..things).flat_map(pages).collect()
}

/// Topics by name, of one page and of several.
fn named_topics(draw: &mut Draw) -> Site {
    let of_page = 8 + draw.below(8);
    let topic = |number: usize| -> Site {
        let (name, pages) = (draw.name(number), 1 + draw.below(3));
        let mut page = |at: usize| {
            let mut posts = (0..4).map(|_| at * of_page + draw.below(of_page));
            let mut posts: Vec<usize> = posts.by_ref().collect();
            posts.sort_unstable();
            posts.dedup();
            posts.into_iter().map(|post| url(format_args!("topic/{name}?post={post}"))).collect()
        };
        (0..pages).map(&mut page).collect()
    };
    (0..60).flat_map(topic).collect()
}

/// Documents in several formats that are one page, and in others that are not, of which there are few.
fn formats(draw: &mut Draw) -> Site {
    let document = |number: usize| -> Site {
        let name = draw.name(number);
        let format = |format: &str| url(format_args!("doc/{name}{format}"));
        let same = ["", ".html", ".htm", ".php", ".shtml"].map(format);
        let others = [".pdf", ".json", ".csv", ".xml", ".txt"].map(|one| vec![format(one)]);
        let others = draw.some(&others, usize::from(number.is_multiple_of(4)));
        [vec![same.into()], others].concat()
    };
    (0..120).flat_map(document).collect()
}

/// Pages that are translated into one or two of twelve languages, and shown in the first in all others.
fn languages(draw: &mut Draw) -> Site {
    const LANGUAGES: [&str; 12] =
        ["en", "de", "fr", "it", "es", "pt", "nl", "sv", "fi", "pl", "cs", "hu"];
    let page = |number: usize| -> Site {
        let name = draw.name(number);
        let translated = if number.is_multiple_of(5) { draw.below(12) } else { 0 };
        let in_language = |language: &str| url(format_args!("{name}?lang={language}"));
        let same =
            LANGUAGES.iter().enumerate().filter(|(place, _)| *place != translated || *place == 0);
        let same: Vec<String> = same.map(|(_, language)| in_language(language)).collect();
        let other = (translated > 0).then(|| vec![in_language(LANGUAGES[translated])]);
        [draw.some(&same, 4)].into_iter().chain(other).collect()
    };
    (0..150).flat_map(page).collect()
}

/// A kind of sites, by name.
type Kind = (&'static str, fn(&mut Draw) -> Site);

const KINDS: [Kind; 6] = [
    ("topics", topics),
    ("subcategories", subcategories),
    ("folders", folders),
    ("named topics", named_topics),
    ("formats", formats),
    ("languages", languages),
];

/// Pages that share a form with another, if one of the two was not seen.
fn lost(site: &Site, draw: &mut Draw) -> usize {
    let is_seen: Vec<bool> = site.iter().map(|_| draw.below(2) == 0).collect();
    let seen = site.iter().zip(&is_seen).filter(|(_, is_seen)| **is_seen);
    let seen: Site = seen.map(|(urls, _)| draw.some(urls, MOST_URLS)).collect();
    let gated = gated(&seen);
    let mut pages_of: BTreeMap<String, FxHashSet<usize>> = BTreeMap::new();
    for (number, urls) in site.iter().enumerate() {
        for url in urls {
            pages_of.entry(gated.form(url)).or_default().insert(number);
        }
    }
    let merged = pages_of.values().filter(|pages| pages.iter().any(|page| !is_seen[*page]));
    merged.map(|pages| pages.len() - 1).sum()
}

#[test]
fn pages_that_nobody_has_seen_are_not_merged() {
    let mut failed = Vec::new();
    for (name, kind) in KINDS {
        let of_site = |seed: u64| {
            let mut draw = Draw(xxh3_64(&[name.as_bytes(), &seed.to_le_bytes()].concat()));
            let site = kind(&mut draw);
            [lost(&site, &mut draw), site.len()]
        };
        let sites = (0..SITES).map(of_site);
        let [lost, pages] = sites.fold([0, 0], |all, one| [all[0] + one[0], all[1] + one[1]]);
        if lost * MOST_LOST > pages {
            failed.push((name, lost, pages));
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
