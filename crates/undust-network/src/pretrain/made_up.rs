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
        let kind = *KINDS.choose(&mut names.random).unwrap_or(&KINDS[0]);
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
        Self { random, host, folders, script, ending, id, session, from, print, values }
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
}

/// The paths of a page: what follows the host and `/`.
type Kind = fn(&mut SiteNames, &PageName) -> Vec<String>;

/// Pages that several URLs show.
const KINDS: &[Kind] = &[
    |d, p| vec![format!("{}.html", p.at()), format!("{}.html;jsessionid={}", p.at(), d.hex())],
    |d, p| {
        let script = format!("{}.{}", d.script, d.ending);
        vec![
            format!("{script}?{}={}", d.id, p.number),
            format!("{script};jsessionid={}?{}={}", d.hex(), d.id, p.number),
        ]
    },
    |d, p| (0..2).map(|_| format!("(S({}))/{}.aspx", &d.hex()[..24], p.at())).collect(),
    |d, p| {
        let page = format!("{}.{}?{}={}", d.script, d.ending, d.id, p.number);
        let session = d.hex();
        vec![page.clone(), format!("{page}&{}={session}", d.session)]
    },
    |d, p| (0..2).map(|_| format!("{}?r=0.{:09}", p.at(), d.below(1 << 30))).collect(),
    |d, p| {
        let (source, place) = (d.value(), d.below(20));
        vec![p.at(), format!("{}?{}={source}&pos={place}", p.at(), d.from)]
    },
    |d, p| {
        let source = d.value();
        let medium = d.value();
        vec![p.at(), format!("{}?utm_source={source}&utm_medium={medium}", p.at())]
    },
    |_, p| vec![p.at(), format!("{}/", p.at())],
    |_, p| vec![p.at(), p.at().replacen('/', "//", 1)],
    |_, p| vec![format!("{}/", p.at()), format!("{}/index.html", p.at())],
    |d, p| vec![format!("{}/", p.at()), format!("{}/index.{}", p.at(), d.ending)],
    |_, p| vec![p.at(), format!("index.php/{}", p.at())],
    |d, p| vec![p.at(), format!("{}.{}", p.at(), d.ending)],
    |_, p| vec![format!("{}/", p.at()), format!("{}/page/1/", p.at())],
    |_, p| vec![p.at(), format!("{}?page=1", p.at())],
    |d, p| vec![p.at(), format!("{}/{}", d.print, p.at())],
    |d, p| {
        let page = format!("{}.{}?{}={}", d.script, d.ending, d.id, p.number);
        vec![page.clone(), format!("{page}&{}=1", d.print)]
    },
    |_, p| vec![format!("{}/", p.at()), format!("{}/amp/", p.at())],
    |_, p| vec![format!("q/{}", p.number), format!("q/{}/{}", p.number, p.slug)],
    |d, p| {
        let (place, time) = (d.below(40), d.below(1 << 30));
        let list =
            format!("{}/dp/B{:08}/ref=sr_1_{place}?qid={time}&sr=8-{place}", p.slug, p.number);
        vec![format!("dp/B{:08}", p.number), list]
    },
    |_, p| vec![p.at(), format!("{}?", p.at())],
    |d, p| {
        let (script, forum) = (format!("{}.{}", d.script, d.ending), d.below(9));
        vec![
            format!("{script}?{}={}", d.id, p.number),
            format!("{script}?f={forum}&{}={}", d.id, p.number),
        ]
    },
    |d, p| {
        let (script, other) = (format!("{}.{}", d.script, d.ending), d.value());
        vec![
            format!("{script}?a={other}&{}={}", d.id, p.number),
            format!("{script}?{}={}&a={other}", d.id, p.number),
        ]
    },
];

/// Pages that one URL shows, made of what elsewhere does not matter.
const PLAIN: &[Kind] = &[
    |_, p| vec![p.at()],
    |d, p| vec![format!("{}.{}?{}={}", d.script, d.ending, d.id, p.number)],
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
        vec![format!("{}.{}?action={action}&{}={}", d.script, d.ending, d.id, p.number)]
    },
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
}
