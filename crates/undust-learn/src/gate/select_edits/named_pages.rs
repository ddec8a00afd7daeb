//! Pages that a word of the URL names: each of their URLs is an observation.
//!
//! URLs that show one page are one observation: forty lists that are empty today say nothing of the next list.
//! A log-in page is one page, too, and yet every URL that leads to it shows that a word of the URL
//! (`Special:UserLogin`, `mode=reply`) determines the page: a functional dependency. The crawl tells the two
//! apart. All URLs with the word, or with the path, show the page, and many of the page's URLs have it: a year of a
//! calendar is on few of the empty days. And the page is not one of the many of one title in one place, as an empty
//! list is among full ones. Where pages have no titles, the first signs must do.

use rustc_hash::FxHashMap;

use undust_cluster::clusters::Clusters;
use undust_edits::program::{Cell, FRONT, arguments, copy, path_end};
use undust_edits::scope::path;
use undust_pages::page::Page;
use undust_url::lexicon::{Lexicon, Symbol};

use crate::config::TokenConfig;
use crate::function_words::function_words_of_clusters;
use crate::gate::rows::{Rows, ShapeRow, Texts};
use crate::ordered::distinct;

/// URLs that a word must have before it can name a page.
const LEAST_URLS: u32 = 5;

/// Of so many URLs with the word one may show another page: pages change while they are crawled. If these are more than
/// one page, the word is a part of the addresses of many, and names none.
const MOST_OTHERS: u32 = 20;
const MOST_OTHER_PAGES: usize = 1;

/// One in so many of the page's URLs has the word, at least.
const LEAST_SHARE: u32 = 4;

/// Pages of one title in one place from which on the title is that of a list; and of how many URLs there they must
/// be one, at least. A log-in page has few versions, however many URLs lead to it.
const LEAST_OF_LIST: usize = 4;
const MOST_URLS_OF_LIST: usize = 10;

/// What may name a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Name {
    /// A word of the path.
    Word(Symbol),
    /// A word of the value of an argument, with the argument's name.
    Value(Symbol, Symbol),
    /// The text of the path, as a number.
    Path(u64),
}

/// URLs by page.
type Pages = FxHashMap<u32, u32>;

/// By URL of a crawl: whether a word of it names its page. The learner that reads the crawl may have other words.
pub fn named_urls(pages: &[Page], clusters: &Clusters) -> Vec<bool> {
    let urls = pages.iter().map(|page| &*page.url).zip(clusters.labels().iter().copied());
    let lexicon = function_words_of_clusters(urls.clone(), TokenConfig::default().threshold);
    let rows = Rows::new(urls, &lexicon, &mut Texts::default());
    named(&rows, &titles(pages, clusters))
}

/// By cluster: the title of its first page that has one. A title that most clusters share is no evidence
/// and is left out. Empty if no page has a title.
pub(crate) fn titles(pages: &[Page], clusters: &Clusters) -> Vec<Option<u64>> {
    let mut titles = vec![None; clusters.len()];
    for (page, cluster) in pages.iter().zip(clusters.labels()) {
        let of_cluster = &mut titles[*cluster as usize];
        *of_cluster = of_cluster.or(page.title);
    }
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    titles.iter().flatten().for_each(|title| *counts.entry(*title).or_default() += 1);
    let half = titles.len() / 2;
    titles.iter_mut().for_each(|title| *title = title.filter(|title| counts[title] <= half));
    if titles.iter().any(Option::is_some) { titles } else { Vec::new() }
}

/// By URL: whether a word of it names its page. `titles` are those of the pages, as hashes; empty if none has one. Linear
/// in the pieces of the URLs.
pub(super) fn named(rows: &Rows, titles: &[Option<u64>]) -> Vec<bool> {
    let named = unique_pages(rows);
    let lists = Lists::of(rows, titles);
    let mut is_named = vec![false; rows.clusters.len()];
    for row in &rows.shapes {
        let shape = NamedShape::of(row);
        let by_word: Vec<u32> =
            shape.names.iter().filter_map(|name| named.get(name).copied()).collect();
        for url in &row.urls {
            let page = rows.clusters[*url as usize];
            let by_path = || named.get(&shape.path(rows, *url)) == Some(&page);
            is_named[*url as usize] =
                (by_word.contains(&page) || by_path()) && !lists.has(shape.place, page);
        }
    }
    is_named
}

/// The page that each name determines, of those that determine one.
fn unique_pages(rows: &Rows) -> FxHashMap<Name, u32> {
    let mut pages_of: FxHashMap<Name, Pages> = FxHashMap::default();
    for row in &rows.shapes {
        let shape = NamedShape::of(row);
        for url in &row.urls {
            let page = rows.clusters[*url as usize];
            for name in shape.names.iter().copied().chain([shape.path(rows, *url)]) {
                *pages_of.entry(name).or_default().entry(page).or_default() += 1;
            }
        }
    }
    let mut urls_of = Pages::default();
    rows.clusters.iter().for_each(|page| *urls_of.entry(*page).or_default() += 1);
    let unique = |(name, pages): (Name, Pages)| {
        let (all, others) = (pages.values().sum::<u32>(), pages.len() - 1);
        let most = pages.into_iter().max_by_key(|(page, urls)| (*urls, u32::MAX - page));
        let (page, urls) = most?;
        let shows_it =
            all >= LEAST_URLS && (all - urls) * MOST_OTHERS <= all && others <= MOST_OTHER_PAGES;
        (shows_it && urls * LEAST_SHARE >= urls_of[&page]).then_some((name, page))
    };
    pages_of.into_iter().filter_map(unique).collect()
}

/// What of a shape may name a page.
struct NamedShape {
    program: Vec<Cell>,
    names: Vec<Name>,
    /// The pattern of the path.
    place: u64,
}

impl NamedShape {
    fn of(row: &ShapeRow) -> Self {
        let program = copy(&row.shape);
        let words = program[..path_end(&program)].iter().skip(FRONT).map(|cell| cell.symbol);
        let mut names: Vec<Name> =
            words.filter(|symbol| Lexicon::is_word(*symbol)).map(Name::Word).collect();
        for (start, end) in arguments(&program) {
            let Some((key, value)) = program[start..end].split_first() else { continue };
            let words = value.iter().map(|cell| cell.symbol);
            let words = words.filter(|symbol| Lexicon::is_word(*symbol));
            names.extend(words.map(|word| Name::Value(key.symbol, word)));
        }
        let place = path(&program);
        Self { program, names: distinct(names), place }
    }

    fn path(&self, rows: &Rows, url: u32) -> Name {
        Name::Path(rows.text(url, 0..path_end(&self.program)))
    }
}

/// Pages of one title in one place.
struct Lists<'t> {
    titles: &'t [Option<u64>],
    /// By place and title: pages, and URLs.
    pages: FxHashMap<(u64, u64), (usize, usize)>,
}

impl<'t> Lists<'t> {
    fn of(rows: &Rows, titles: &'t [Option<u64>]) -> Self {
        let mut titled: Vec<(u64, u64, u32)> = Vec::new();
        for row in rows.shapes.iter().filter(|_| !titles.is_empty()) {
            let place = path(&copy(&row.shape));
            titled.extend(row.urls.iter().filter_map(|url| {
                let page = rows.clusters[*url as usize];
                Some((place, titles[page as usize]?, page))
            }));
        }
        titled.sort_unstable();
        let count = |urls: &[(u64, u64, u32)]| {
            let pages = urls.chunk_by(|a, b| a.2 == b.2).count();
            ((urls[0].0, urls[0].1), (pages, urls.len()))
        };
        let pages = titled.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(count).collect();
        Self { titles, pages }
    }

    /// Whether a page is one of a list's in a place.
    fn has(&self, place: u64, page: u32) -> bool {
        let title = self.titles.get(page as usize).copied().flatten();
        title.and_then(|title| self.pages.get(&(place, title))).is_some_and(|(pages, urls)| {
            *pages >= LEAST_OF_LIST && pages * MOST_URLS_OF_LIST >= *urls
        })
    }
}

#[cfg(test)]
mod tests {
    use undust_url::lexicon::FrequencyThresholds;

    use super::*;

    /// How many of the URLs are named, given with their pages and titles.
    fn named_urls(urls: &[(String, u32, u64)]) -> usize {
        let texts = urls.iter().map(|(url, ..)| url.as_str());
        let lexicon = Lexicon::learn(texts, FrequencyThresholds { word: 0.05, key: 0.0 });
        let pages = urls.iter().map(|(url, page, _)| (url.as_str(), *page));
        let rows = Rows::new(pages, &lexicon, &mut Texts::default());
        let last = urls.iter().map(|(_, page, _)| *page).max().expect("a page");
        let mut titles = vec![None; last as usize + 1];
        urls.iter().for_each(|(_, page, title)| titles[*page as usize] = Some(*title));
        named(&rows, &titles).into_iter().filter(|is_named| *is_named).count()
    }

    /// Lists of the tickets of forty parts: full ones of one title, and forty with another status, of one page.
    fn lists(title: u64) -> Vec<(String, u32, u64)> {
        let url =
            |part: u32, status: &str| format!("http://a.test/list?part={part}&status={status}");
        let full = (100..140).map(|part| (url(part, "open"), part, 7));
        full.chain((100..140).map(|part| (url(part, "closed"), 0, title))).collect()
    }

    #[test]
    fn a_wall_is_named_by_a_word_of_its_urls() {
        assert_eq!(named_urls(&lists(8)), 40);
    }

    #[test]
    fn an_empty_list_has_the_title_of_full_ones() {
        assert_eq!(named_urls(&lists(7)), 0);
    }

    #[test]
    fn a_word_that_several_pages_have_names_none() {
        let mut urls = lists(8);
        urls.iter_mut().skip(40).take(20).for_each(|(_, page, _)| *page = 1);
        assert_eq!(named_urls(&urls), 0);
        // One that changed while it was crawled does.
        let mut urls = lists(8);
        urls[45].1 = 1;
        assert_eq!(named_urls(&urls), 39);
    }

    /// One day in fifty has a page of its own, and the others show one page: no year, month or day names it.
    #[test]
    fn an_empty_day_is_named_by_no_word_of_its_date() {
        for calendar in ["http://a.test", "http://a.test/calendar"] {
            let days =
                (0..20 * 336).map(|day: u32| (2000 + day / 336, day / 28 % 12 + 1, day % 28 + 1));
            let of = |(day, (year, month, of_month)): (usize, (u32, u32, u32))| {
                let page = if day % 50 == 17 { day as u32 } else { 0 };
                (format!("{calendar}/{year}/{month:02}/{of_month:02}"), page, 7)
            };
            let urls: Vec<_> = days.enumerate().map(of).collect();
            assert_eq!(named_urls(&urls), 0, "{calendar}");
            assert_eq!(named_urls(&urls[..200]), 0, "{calendar}");
        }
    }

    #[test]
    fn a_path_names_the_page_that_all_its_urls_show() {
        let start = (0..30).map(|n| (format!("http://a.test/board/77?from={n}"), 0, 1));
        let others = (100..140).map(|n| (format!("http://a.test/board/{n}?from=1"), n, 2));
        assert_eq!(named_urls(&start.chain(others).collect::<Vec<_>>()), 30);
    }
}
