//! Walls: pages that one word of the URL names, so that each URL is a witness of its own.
//!
//! URLs that show one page are one witness: forty lists that are empty today say nothing of the next list.
//! A log-in page is one page, too, and yet every URL that leads to it shows that the word in the URL
//! (`Special:UserLogin`, `mode=reply`) determines the page. The crawl tells the two apart: all URLs with
//! the word show the page, and the pages beside it do not have its title, as full lists have that of an empty one.

use rustc_hash::FxHashMap;

use undust_model::edits::edit::Edit;
use undust_model::edits::program::{Cell, FRONT, arguments, copy, path_end};
use undust_model::edits::scope::place;
use undust_url::lexicon::{Lexicon, Symbol};

use crate::gate::rows::Rows;

/// URLs that must have a word before it can name a page.
const LEAST_URLS: usize = 5;

/// One URL in so many with the word may show another page: pages change while they are crawled.
const MOST_OTHERS: usize = 20;

/// Clusters of one title in one place from which on the title is that of a list.
const LEAST_CLUSTERS: usize = 3;

/// The least share of URLs of other pages among those of one title in one place, in percent.
const LEAST_PERCENT: usize = 10;

/// A word of the path, or the value of an argument.
type Feature = (Symbol, u64);

/// By URL: whether a word of it names its page. Linear in the pieces of all shapes, n log n in the URLs times the
/// words of each.
pub(super) fn named(rows: &Rows, titles: &[Option<u64>]) -> Vec<bool> {
    let mut urls_of: FxHashMap<Feature, FxHashMap<u32, u32>> = FxHashMap::default();
    let mut titled: FxHashMap<(u64, u64), FxHashMap<u32, u32>> = FxHashMap::default();
    for row in &rows.shapes {
        let program = copy(&row.shape);
        let place = place(&Edit::DropSlot(u16::MAX), &program);
        let features = features(&program);
        for url in &row.urls {
            let page = rows.clusters[*url as usize];
            for feature in features.iter().chain([&(Symbol::MAX, path_of(rows, *url, &program))]) {
                *urls_of.entry(*feature).or_default().entry(page).or_default() += 1;
            }
            if let Some(title) = titles.get(page as usize).copied().flatten() {
                *titled.entry((place, title)).or_default().entry(page).or_default() += 1;
            }
        }
    }
    let named: FxHashMap<Feature, u32> = urls_of
        .into_iter()
        .filter_map(|(feature, pages)| {
            let all: usize = pages.values().map(|urls| *urls as usize).sum();
            let (page, urls) = pages.into_iter().max_by_key(|(page, urls)| (*urls, u32::MAX - page))?;
            (all >= LEAST_URLS && (all - urls as usize) * MOST_OTHERS <= all).then_some((feature, page))
        })
        .collect();
    let is_list = |place: u64, page: u32| {
        let title = titles.get(page as usize).copied().flatten();
        title.and_then(|title| titled.get(&(place, title))).is_some_and(|pages| {
            let all: u32 = pages.values().sum();
            let others = all - pages.get(&page).copied().unwrap_or(0);
            let _ = others;
            pages.len() > LEAST_CLUSTERS && pages.len() * 100 >= all as usize * LEAST_PERCENT
        })
    };
    let mut is_named = vec![false; rows.clusters.len()];
    for row in &rows.shapes {
        let program = copy(&row.shape);
        let place = place(&Edit::DropSlot(u16::MAX), &program);
        let pages: Vec<u32> =
            features(&program).iter().filter_map(|feature| named.get(feature).copied()).collect();
        for url in &row.urls {
            let page = rows.clusters[*url as usize];
            let by_path = named.get(&(Symbol::MAX, path_of(rows, *url, &program)));
            is_named[*url as usize] = (pages.contains(&page) || by_path == Some(&page) && crate::gate::x::x("bp", 1.0) > 0.0) && !is_list(place, page);
        }
    }
    is_named
}

/// The words of a URL that may name its page.
fn features(program: &[Cell]) -> Vec<Feature> {
    let path = &program[..path_end(program)];
    let words = path.iter().skip(FRONT).map(|cell| cell.symbol).filter(|symbol| Lexicon::is_word(*symbol));
    let mut features: Vec<Feature> = words.map(|word| (0, word.into())).collect();
    features.extend(arguments(program).into_iter().filter_map(|(start, end)| {
        let (key, value) = program[start..end].split_first()?;
        Some(value.iter().filter(|cell| Lexicon::is_word(cell.symbol)).map(|cell| (key.symbol, cell.symbol.into())))
    }).flatten());
    features.sort_unstable();
    features.dedup();
    features
}

/// The path of a URL as a number.
fn path_of(rows: &Rows, url: u32, program: &[Cell]) -> u64 {
    rows.text(url, 0..path_end(program))
}
