//! Responses become the sites to be trained: their pages, or where a site has none, what a log or
//! a list says of its URLs.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Site, TrainingData};
use crate::learners::dustbuster::listing::{Listing, LoggedResponse};
use undust_pages::page::Page;
use undust_pages::pages::pages_by_site;
use undust_pages::pages::{LeftOut, Pages, PagesBuilder};
use undust_pages::response::Response;
use undust_url::site::{SiteBy, group_by_site, site_of};

/// What crawls hold to be trained.
#[derive(Debug)]
pub struct FoundSites {
    /// In the order of their first page, then of their first URL.
    pub sites: Vec<Site>,
    /// URLs that are no page.
    pub left_out: LeftOut,
    /// URLs of pages, logs and lists that belong to no site.
    pub urls_without_site: usize,
    /// Sites with pages and with log or list entries. They learn from their pages alone.
    pub with_both: usize,
}

/// Takes crawls, each later in time than those before it, and makes sites of them. Memory: the pages
/// of all, and of several once more, by themselves; of logs and lists a URL, a status and a length of
/// each entry.
#[derive(Debug, Default)]
pub struct SitesBuilder {
    are_many: bool,
    from_urls: bool,
    all: PagesBuilder,
    /// The crawl that is taken now, by itself, and those before it. Only where there are several need
    /// they be distinguished.
    crawl: Option<PagesBuilder>,
    crawls: Vec<Vec<Page>>,
    /// Of logs and lists, and of crawls: these answers count only if there is no page at all.
    listed: Vec<LoggedResponse>,
    crawled: Vec<LoggedResponse>,
}

impl SitesBuilder {
    /// For a number of crawls. With `from_urls`, sites without a page learn from logs and lists, as only
    /// [some methods](crate::method::Method::learns_from_urls) can.
    pub fn new(crawls: usize, from_urls: bool) -> Self {
        Self { are_many: crawls > 1, from_urls, ..Self::default() }
    }

    /// Keeps what the site says of its pages, too ([`PagesBuilder::with_labels`]).
    pub fn with_labels(self) -> Self {
        Self { all: self.all.with_labels(), ..self }
    }

    /// Takes a URL that a sitemap lists.
    pub fn list(&mut self, url: &str) {
        self.all.list(url);
    }

    /// Says that the responses that come next are of another crawl than those before.
    pub fn next_crawl(&mut self) {
        self.all.next_crawl();
        self.end_crawl();
        self.crawl = self.are_many.then(PagesBuilder::new);
    }

    fn end_crawl(&mut self) {
        let crawl = self.crawl.take();
        self.crawls.extend(crawl.map(|crawl| crawl.finish().pages));
    }

    /// Takes a response.
    pub fn push(&mut self, response: Response) {
        if self.from_urls && response.simhash.is_none() && response.digest.is_none() {
            let Response { url, status, length, is_listed, .. } = &response;
            let answer = LoggedResponse { url: url.clone(), status: *status, length: *length };
            if *is_listed { self.listed.push(answer) } else { self.crawled.push(answer) }
        }
        if let Some(crawl) = &mut self.crawl {
            crawl.push(response.clone());
        }
        self.all.push(response);
    }

    /// The sites of all that came.
    pub fn finish(mut self, by: SiteBy) -> FoundSites {
        self.end_crawl();
        let Pages { pages, left_out, .. } = self.all.finish();
        let mut listed = self.listed;
        if pages.is_empty() {
            listed.append(&mut self.crawled);
        }
        let count = pages.len();
        let mut sites = sites_of(pages, by);
        add_crawls(&mut sites, self.crawls);
        let has_no_site = |answer: &&LoggedResponse| site_of(&answer.url, by).is_none();
        let listed_homeless = listed.iter().filter(has_no_site).count();
        let at_home = sites.iter().map(|site| site.data.len()).sum::<usize>();
        let urls_without_site = count - at_home + listed_homeless;
        let with_both = add_listings(&mut sites, listed, by);
        FoundSites { sites, left_out, urls_without_site, with_both }
    }
}

/// The sites of a crawl, in the order of their first pages. Pages whose URL names no host belong
/// to none.
pub fn sites_of(pages: Vec<Page>, by: SiteBy) -> Vec<Site> {
    let data = TrainingData::Pages;
    let site = |(name, pages)| Site { name, by, data: data(pages), crawls: Vec::new() };
    pages_by_site(pages, by).into_iter().map(site).collect()
}

/// Adds the sites that have answers of a log or a list and no pages; returns how many have both.
/// Those learn from their pages alone.
fn add_listings(sites: &mut Vec<Site>, answers: Vec<LoggedResponse>, by: SiteBy) -> usize {
    let with_pages: FxHashSet<String> = sites.iter().map(|site| site.name.clone()).collect();
    let listed = group_by_site(answers, by, |answer| &answer.url);
    let (known, new): (Vec<_>, Vec<_>) =
        listed.into_iter().partition(|(name, _)| with_pages.contains(name));
    let listing = |(name, answers)| Site {
        name,
        by,
        data: TrainingData::Listing(Listing::of_answers(answers)),
        crawls: Vec::new(),
    };
    sites.extend(new.into_iter().map(listing));
    known.len()
}

/// Adds to each site what several crawls, in their order, found of it, if two of them found
/// different pages under a URL. Parts of one crawl do not.
fn add_crawls(sites: &mut [Site], crawls: Vec<Vec<Page>>) {
    let mut of_site: FxHashMap<String, Vec<Vec<Page>>> = FxHashMap::default();
    let by = sites.first().map(|site| site.by).unwrap_or_default();
    for pages in crawls {
        for (name, pages) in pages_by_site(pages, by) {
            of_site.entry(name).or_default().push(pages);
        }
    }
    for site in sites {
        let crawls = of_site.remove(&site.name).filter(|crawls| differ(crawls));
        site.crawls = crawls.unwrap_or_default();
    }
}

/// Whether two crawls found different pages under a URL.
fn differ(crawls: &[Vec<Page>]) -> bool {
    let mut known: FxHashMap<&str, &Page> = FxHashMap::default();
    let content = |page: &Page| (page.title, page.simhash, page.short_text, page.digest);
    let is_same = |a: &Page, b: &Page| content(a) == content(b);
    crawls.iter().flatten().any(|page| !is_same(known.entry(&page.url).or_insert(page), page))
}
