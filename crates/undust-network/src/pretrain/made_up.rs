//! Made-up sites for the base network: the kinds of duplicates that operators know by name, under
//! folders, scripts and names that each site has alone.
//!
//! A site may call a session or a random number what it likes, for the value shows what it is. What
//! only its name tells, such as where a visitor came from, has a name that many sites use.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use undust_cluster::clusters::Clusters;
use undust_pages::page::Page;
use undust_pages::{PagesBuilder, Response};

/// Pages of each kind on a site.
const PAGES: usize = 40;
/// Kinds of duplicates on a site, at most.
const MOST_KINDS: usize = 4;

/// The pages of a made-up site and their duplicate clusters. The same seed and number give the same site.
pub fn site(seed: u64, number: u32) -> (Vec<Page>, Clusters) {
    let mut names = SiteNames::new(seed, number);
    let kinds = names.random.random_range(1..=MOST_KINDS);
    let mut pages = PagesBuilder::new();
    let mut clusters = Vec::new();
    for _ in 0..kinds {
        let (_, kind) = KINDS.choose(&mut names.random).unwrap_or(&KINDS[0]);
        let plain = *PLAIN.choose(&mut names.random).unwrap_or(&PLAIN[0]);
        for _ in 0..PAGES {
            let page = names.page();
            clusters.push(kind(&mut names, &page));
            let page = names.page();
            clusters.push(plain(&mut names, &page));
        }
    }
    clusters.shuffle(&mut names.random);
    for (number, cluster) in clusters.iter().enumerate() {
        for path in cluster {
            let url = format!("https://{}/{path}", names.host);
            let digest = Some(format!("{number:040x}"));
            pages.push(Response { url, status: 200, digest, ..Response::default() });
        }
    }
    let pages = pages.finish().pages;
    let clusters = undust_cluster::clusters::cluster(&pages, &Default::default());
    (pages, clusters)
}

/// How a site names things.
struct SiteNames {
    random: ChaCha8Rng,
    host: String,
    folders: Vec<String>,
    /// What the site calls its scripts, and their ending.
    script: String,
    ending: &'static str,
    /// Names of arguments: that of the page, of a session, of where a visitor came from, and of a view
    /// to print.
    id: String,
    session: String,
    from: String,
    print: String,
    language: &'static str,
    values: Vec<String>,
}

/// A page: what its URLs are made of.
struct PageName {
    number: u32,
    folder: String,
    slug: String,
}

impl PageName {
    fn at(&self) -> String {
        format!("{}/{}-{}", self.folder, self.slug, self.number)
    }
}

fn word(random: &mut impl Rng) -> String {
    const ONSETS: [&str; 14] =
        ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "st"];
    const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
    (0..random.random_range(2..4))
        .map(|_| {
            let onset = ONSETS[random.random_range(0..ONSETS.len())];
            format!("{onset}{}", VOWELS[random.random_range(0..VOWELS.len())])
        })
        .collect()
}

impl SiteNames {
    fn new(seed: u64, number: u32) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(number.into());
        // Half of the sites use names that many do, and names that tell alone are always such.
        let mut name = |known: &[&str], shared: f64| match random.random_bool(shared) {
            true => known.choose(&mut random).map_or_else(String::new, |name| (*name).to_owned()),
            false => word(&mut random),
        };
        let id = name(&["id", "p", "item", "pid", "article", "topic", "t", "doc"], 0.5);
        let session = name(&["PHPSESSID", "sid", "session", "s", "sessionid", "token"], 0.5);
        let from = name(&["ref", "utm_source", "referrer", "gclid", "fbclid"], 1.0);
        let print = name(&["print", "printable", "amp"], 1.0);
        let script = name(&["show", "view", "index", "product", "viewtopic", "page"], 0.5);
        let host = format!("{}.test", word(&mut random));
        let folders = (0..4).map(|_| word(&mut random)).collect();
        let values = (0..6).map(|_| word(&mut random)).collect();
        let ending =
            ["php", "html", "aspx", "do", "jsp"].choose(&mut random).copied().unwrap_or("html");
        let language = ["en", "de", "fr", "es"].choose(&mut random).copied().unwrap_or("en");
        Self { random, host, folders, script, ending, id, session, from, print, language, values }
    }

    fn page(&mut self) -> PageName {
        let words = self.random.random_range(1..4);
        let slug: Vec<String> = (0..words).map(|_| word(&mut self.random)).collect();
        PageName {
            number: self.random.random_range(100..1_000_000),
            folder: self.folders.choose(&mut self.random).cloned().unwrap_or_default(),
            slug: slug.join("-"),
        }
    }

    fn below(&mut self, end: u32) -> u32 {
        self.random.random_range(0..end)
    }

    fn hex(&mut self) -> String {
        format!("{:032x}", self.random.random::<u128>())
    }

    fn value(&mut self) -> String {
        self.values.choose(&mut self.random).cloned().unwrap_or_default()
    }

    fn month(&mut self) -> String {
        format!("20{:02}/{:02}", self.below(20), 1 + self.below(12))
    }

    fn script(&self) -> String {
        format!("{}.{}", self.script, self.ending)
    }

    fn page_by_number(&self, page: &PageName) -> String {
        format!("{}?{}={}", self.script(), self.id, page.number)
    }
}

/// The paths of a page: what follows the host and `/`.
type Paths = fn(&mut SiteNames, &PageName) -> Vec<String>;

/// Pages that several URLs show, by kind of duplicate. The names are those of the tests of the gate, which have
/// the same kinds.
const KINDS: &[(&str, Paths)] = &[
    ("a session behind the path", |d, p| {
        vec![format!("{}.html", p.at()), format!("{}.html;jsessionid={}", p.at(), d.hex())]
    }),
    ("a session between path and query", |d, p| {
        let script = d.script();
        vec![
            format!("{script}?{}={}", d.id, p.number),
            format!("{script};jsessionid={}?{}={}", d.hex(), d.id, p.number),
        ]
    }),
    ("a session before the path", |d, p| {
        (0..2).map(|_| format!("(S({}))/{}.aspx", &d.hex()[..24], p.at())).collect()
    }),
    ("a session in the query", |d, p| {
        let page = d.page_by_number(p);
        vec![page.clone(), format!("{page}&{}={}", d.session.clone(), d.hex())]
    }),
    ("a random number", |d, p| {
        (0..2).map(|_| format!("{}?r=0.{:09}", p.at(), d.below(1 << 30))).collect()
    }),
    ("where a visitor came from", |d, p| {
        let (source, place) = (d.value(), d.below(20));
        vec![p.at(), format!("{}?{}={source}&pos={place}", p.at(), d.from)]
    }),
    ("a campaign", |d, p| {
        vec![p.at(), format!("{}?utm_source={}&utm_medium={}", p.at(), d.value(), d.value())]
    }),
    ("a partner before the path", |d, p| {
        vec![p.at(), format!("go/partner{}/{}", d.below(30), p.at())]
    }),
    ("a slash at the end", |_, p| vec![p.at(), format!("{}/", p.at())]),
    ("two slashes", |_, p| vec![p.at(), p.at().replacen('/', "//", 1)]),
    ("an index file", |_, p| vec![format!("{}/", p.at()), format!("{}/index.html", p.at())]),
    ("an index script", |d, p| {
        vec![format!("{}/", p.at()), format!("{}/index.{}", p.at(), d.ending)]
    }),
    ("a script before the path", |_, p| vec![p.at(), format!("index.php/{}", p.at())]),
    ("an extension", |d, p| vec![p.at(), format!("{}.{}", p.at(), d.ending)]),
    ("a folder again and again", |_, p| vec![p.at(), format!("{0}/{0}/{1}", p.folder, p.at())]),
    ("the first page of a list", |_, p| {
        vec![format!("{}/", p.at()), format!("{}/page/1/", p.at())]
    }),
    ("the number of the first page", |_, p| vec![p.at(), format!("{}?page=1", p.at())]),
    ("a page to print", |d, p| vec![p.at(), format!("{}/{}", d.print, p.at())]),
    ("an argument to print", |d, p| {
        let page = d.page_by_number(p);
        vec![page.clone(), format!("{page}&{}=1", d.print)]
    }),
    ("a page for telephones", |_, p| vec![format!("{}/", p.at()), format!("{}/amp/", p.at())]),
    ("the site's own language", |d, p| vec![p.at(), format!("{}/{}", d.language, p.at())]),
    ("a name behind a number", |_, p| {
        vec![format!("q/{}", p.number), format!("q/{}/{}", p.number, p.slug)]
    }),
    ("a name before a number", |d, p| {
        let (place, time) = (d.below(40), d.below(1 << 30));
        let list =
            format!("{}/dp/B{:08}/ref=sr_1_{place}?qid={time}&sr=8-{place}", p.slug, p.number);
        vec![format!("dp/B{:08}", p.number), list]
    }),
    ("a folder that may be another", |d, p| {
        (0..2).map(|_| format!("{}/{}.html", d.value(), p.number)).collect()
    }),
    ("a date before a name", |d, p| {
        let name = format!("{}-{}", p.slug, p.number);
        vec![name.clone(), format!("{}/{name}", d.month())]
    }),
    ("another name of an argument", |d, p| {
        let script = d.script();
        vec![format!("{script}?id={}", p.number), format!("{script}?pid={}", p.number)]
    }),
    ("an argument for a path", |d, p| {
        vec![
            format!("{}/{}", d.id, p.number),
            d.page_by_number(p),
            format!("?{}={}", d.id, p.number),
        ]
    }),
    ("an argument that is empty", |_, p| {
        vec![p.at(), format!("{}?", p.at()), format!("{}?q=", p.at())]
    }),
    ("an argument that another determines", |d, p| {
        let (script, forum) = (d.script(), d.below(9));
        vec![d.page_by_number(p), format!("{script}?f={forum}&{}={}", d.id, p.number)]
    }),
    ("the order of arguments", |d, p| {
        let (script, other) = (d.script(), d.value());
        vec![
            format!("{script}?a={other}&{}={}", d.id, p.number),
            format!("{script}?{}={}&a={other}", d.id, p.number),
        ]
    }),
    ("the order of a path's names", |d, p| {
        let (color, size) = (d.value(), d.below(4));
        vec![
            format!("{}/color/{color}/size/{size}", p.number),
            format!("{}/size/{size}/color/{color}", p.number),
        ]
    }),
    ("the order of a path's values", |d, p| {
        let color = &d.hex()[..16];
        vec![format!("color/{color}/id/{}", p.number), format!("id/{}/color/{color}", p.number)]
    }),
];

/// Pages that one URL shows, made of what elsewhere does not matter.
const PLAIN: &[Paths] = &[
    |_, p| vec![p.at()],
    |d, p| vec![d.page_by_number(p)],
    |d, p| {
        let id = d.hex();
        vec![format!("{}?{}={id}", p.folder, d.id)]
    },
    |_, p| vec![format!("{}?page={}", p.folder, 2 + p.number)],
    |d, p| {
        let number = 2 + d.below(9);
        vec![format!("{}?q={}&page={number}", p.folder, p.slug)]
    },
    |d, p| vec![format!("{}/{}/{}", p.folder, d.value(), p.number)],
    |d, p| {
        let (sort, name) = (d.value(), word(&mut d.random));
        vec![format!("{}?{name}={sort}&{}={}", p.folder, d.id, p.number)]
    },
    |d, p| {
        let name = word(&mut d.random);
        vec![format!("{}?{name}={}", p.at(), d.below(20))]
    },
    |d, p| vec![format!("{}/{}.{}", p.folder, p.slug, d.ending)],
    |d, p| {
        let action = d.value();
        vec![format!("{}?action={action}&{}={}", d.script(), d.id, p.number)]
    },
    |d, p| vec![format!("{}/{}-{}", d.month(), p.slug, p.number)],
    |d, p| vec![format!("{}/{}", d.language, p.at())],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_site_with_duplicates() {
        for number in 0..50 {
            let (pages, clusters) = site(17, number);
            assert_eq!(pages, site(17, number).0);
            assert!(pages.len() > clusters.len(), "site {number} has no duplicate");
            assert_eq!(pages.len(), clusters.labels().len());
        }
    }

    /// What operators know by name, and the gate is tested on.
    #[test]
    fn no_kind_of_duplicate_is_missing() {
        let path = "crates/undust-learn/src/gate/learn/tests/kinds.rs";
        let source = std::fs::read_to_string(undust_testing::in_repository(path)).expect(path);
        let names =
            source.lines().filter_map(|line| line.strip_prefix("    (\"")?.split_once("\", |"));
        let names: Vec<&str> = names.map(|(name, _)| name).collect();
        assert_eq!(names.len(), 27, "{names:?}");
        for name in names {
            assert!(KINDS.iter().any(|(kind, _)| *kind == name), "{name}");
        }
    }

    /// Each kind shows pages under several URLs, whatever the site calls its parts.
    #[test]
    fn each_kind_has_distinct_urls() {
        for (kind, paths) in KINDS {
            for number in 0..20 {
                let mut names = SiteNames::new(17, number);
                let several = (0..10).filter(|_| {
                    let page = names.page();
                    let mut paths = paths(&mut names, &page);
                    paths.sort_unstable();
                    paths.dedup();
                    paths.len() > 1
                });
                assert!(several.count() > 5, "{kind} on site {number}");
            }
        }
    }
}
