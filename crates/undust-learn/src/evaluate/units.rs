//! What is evaluated as one: a crawl as a whole, or each of its sites.

use std::borrow::Cow;
use std::path::Path;

use rustc_hash::FxHashMap;

use undust_pages::page::Page;
use undust_pages::pages::pages_by_site;
use undust_url::site::{SiteBy, site_of};
use undust_util::address::shown;

/// What is evaluated as one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UnitBy {
    /// Each crawl as a whole.
    #[default]
    Crawl,
    /// Each host of each crawl.
    Host,
    /// Each registrable domain of each crawl.
    Domain,
}

/// Pages that are evaluated together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its name.
    pub site: String,
    /// How its sites are separated. A crawl that is evaluated as a whole may have several hosts.
    pub site_by: SiteBy,
    /// The file that the pages are from.
    pub crawl: String,
    /// In crawl order.
    pub pages: Vec<Page>,
}

/// The units of one crawl, and what is in none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units {
    /// In the order of their first pages.
    pub units: Vec<Unit>,
    /// Sites of the crawl, those without a unit included.
    pub sites: usize,
    /// Sites with too few pages for a unit.
    pub small_sites: usize,
    /// Pages whose URL names no site. In a crawl that is evaluated as a whole they count.
    pub pages_without_site: usize,
}

/// Cuts a crawl into units. A crawl that is evaluated as a whole takes the name of its most
/// frequent host, and is one unit however small; a site needs `min_pages`.
pub fn units(crawl: &Path, pages: Vec<Page>, by: UnitBy, min_pages: usize) -> Units {
    match by {
        UnitBy::Crawl => whole(crawl, pages),
        UnitBy::Host => by_site(crawl, pages, SiteBy::Host, min_pages),
        UnitBy::Domain => by_site(crawl, pages, SiteBy::Domain, min_pages),
    }
}

impl Unit {
    /// A crawl as a whole, which takes the name of its most frequent host.
    pub fn of_crawl(crawl: &Path, pages: Vec<Page>) -> Self {
        whole(crawl, pages).units.remove(0)
    }
}

fn whole(crawl: &Path, pages: Vec<Page>) -> Units {
    let mut counts: FxHashMap<Cow<'_, str>, (usize, usize)> = FxHashMap::default();
    let mut pages_without_site = 0;
    for (at, page) in pages.iter().enumerate() {
        match site_of(&page.url, SiteBy::Host) {
            Some(site) => counts.entry(site).or_insert((0, pages.len() - at)).0 += 1,
            None => pages_without_site += 1,
        }
    }
    let sites = counts.len();
    // Of two hosts equally frequent the earlier one.
    let most_frequent = counts.into_iter().max_by_key(|(_, order)| *order);
    let site = most_frequent.map_or_else(|| stem(crawl), |(site, _)| site.into_owned());
    let units = vec![Unit { site, site_by: SiteBy::Host, crawl: shown(&crawl).to_string(), pages }];
    Units { units, sites, small_sites: 0, pages_without_site }
}

fn by_site(crawl: &Path, pages: Vec<Page>, by: SiteBy, min_pages: usize) -> Units {
    let all_pages = pages.len();
    let crawl = shown(&crawl).to_string();
    let sites = pages_by_site(pages, by);
    let unit = |(site, pages)| Unit { site, site_by: by, crawl: crawl.clone(), pages };
    let mut found = Units { sites: sites.len(), ..Units::default() };
    found.units = sites.into_iter().map(unit).collect();
    found.pages_without_site =
        all_pages - found.units.iter().map(|unit| unit.pages.len()).sum::<usize>();
    found.units.retain(|unit| unit.pages.len() >= min_pages);
    found.small_sites = found.sites - found.units.len();
    found
}

/// A file's name without the endings that name its kind; `stdin` for `-`.
pub fn stem(crawl: &Path) -> String {
    if crawl == Path::new("-") {
        return "stdin".to_owned();
    }
    let name = crawl.file_name().unwrap_or(crawl.as_os_str()).to_string_lossy();
    let mut stem: &str = &name;
    for ending in [".gz", ".zst", ".jsonl", ".warc", ".log"] {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    stem.to_owned()
}
