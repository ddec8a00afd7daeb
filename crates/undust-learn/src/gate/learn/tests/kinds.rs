//! The kinds of duplicates that operators know by name, each on a site of its own: all of them are learned, and
//! hold for pages that training never saw.

use xxhash_rust::xxh3::xxh3_64;

use undust_cluster::{ClusterOptions, cluster};
use undust_model::model::Model;
use undust_testing::crawl;

use super::*;
use crate::method::{Method, Training};

/// Pages that training sees, and others that it does not.
const PAGES: (usize, usize) = (160, 40);

const WORDS: [&str; 20] = [
    "alpha", "report", "news", "item", "view", "world", "local", "health", "music", "travel",
    "food", "garden", "press", "team", "photo", "guide", "story", "market", "stock", "city",
];
const FOLDERS: [&str; 4] = ["news", "sports", "shop/items", "a/b"];

/// A page to make URLs of: the same number, the same page. What `any` gives is another each time that it is asked.
struct Page {
    number: usize,
    asked: u64,
}

impl Page {
    fn any(&mut self) -> u64 {
        self.asked += 1;
        xxh3_64(&[self.number.to_le_bytes(), self.asked.to_le_bytes()].concat())
    }

    fn below(&mut self, end: u64) -> u64 {
        self.any() % end
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.below(WORDS.len() as u64) as usize]
    }

    fn slug(&mut self) -> String {
        let words: Vec<&str> = (0..2 + self.below(3)).map(|_| self.word()).collect();
        words.join("-")
    }

    fn session(&mut self) -> String {
        format!("{:016x}{:016X}", self.any(), self.any())
    }
}

/// The addresses of a page: what follows the host. `p` is the page, `n` its number, and `at` a folder with a name in it.
type Kind = (&'static str, fn(&mut Page, n: usize, at: &str) -> Vec<String>);

const KINDS: &[Kind] = &[
    ("a session behind the path", |p, _, at| {
        vec![format!("{at}.html"), format!("{at}.html;jsessionid={}", p.session())]
    }),
    ("a session between path and query", |p, n, _| {
        vec![format!("show.do?id={n}"), format!("show.do;jsessionid={}?id={n}", p.session())]
    }),
    ("a session before the path", |p, _, at| {
        (0..2).map(|_| format!("(S({}))/{at}.aspx", p.session())).collect()
    }),
    ("a session in the query", |p, n, _| {
        (0..2).map(|_| format!("view.php?id={n}&PHPSESSID={}", p.session())).collect()
    }),
    ("a session and a zoom, always together", |p, n, _| {
        let mut with = || {
            let session = p.below(1 << 40);
            let zoom = [0; 3].map(|_| p.below(200).to_string()).join(",");
            format!("show.asp?in_ses_id={session}&id={n}&zoom={zoom}")
        };
        vec![with(), with()]
    }),
    ("a session within a value", |p, n, _| {
        (0..2).map(|_| format!("f?p=100:7:{}::NO::P7_ID:{n}", p.below(1 << 40))).collect()
    }),
    ("a number and a slug that go together", |p, n, _| {
        (0..2).map(|_| format!("story/x{n}/{}/{}", 202_100 + p.below(12), p.slug())).collect()
    }),
    ("a random number", |p, _, at| (0..2).map(|_| format!("{at}?r=0.{:019}", p.any())).collect()),
    ("where a visitor came from", |p, _, at| {
        let (word, place) = (p.word(), p.below(20));
        vec![at.into(), format!("{at}?ref={word}&pos={place}")]
    }),
    ("a partner before the path", |p, n, _| {
        vec![format!("item/{n}"), format!("go/partner{}/item/{n}", p.below(30))]
    }),
    ("a slash at the end", |_, _, at| vec![at.into(), format!("{at}/")]),
    ("two slashes", |_, _, at| vec![at.into(), at.replacen('/', "//", 1)]),
    ("an index file", |_, _, at| vec![format!("{at}/"), format!("{at}/index.html")]),
    ("a script before the path", |_, _, at| vec![at.into(), format!("index.php/{at}")]),
    ("an extension", |_, _, at| vec![at.into(), format!("{at}.html")]),
    ("a folder again and again", |_, _, at| {
        let folder = at.split_inclusive('/').next().unwrap_or_default();
        vec![at.into(), format!("{folder}{folder}{at}")]
    }),
    ("the first page of a list", |_, _, at| vec![format!("{at}/"), format!("{at}/page/1/")]),
    ("a page to print", |_, _, at| vec![at.into(), format!("print/{at}")]),
    ("a page for telephones", |_, _, at| vec![format!("{at}/"), format!("{at}/amp/")]),
    ("the site's own language", |_, _, at| vec![at.into(), format!("en/{at}")]),
    ("a name behind a number", |p, n, _| {
        vec![format!("questions/{n}"), format!("questions/{n}/{}", p.slug())]
    }),
    ("a name before a number", |p, n, _| {
        let (slug, place, time) = (p.slug(), p.below(40), p.any());
        let list = format!("{slug}/dp/B{n:08}/ref=sr_1_{place}?qid={time}&sr=8-{place}");
        vec![format!("dp/B{n:08}"), list, format!("gp/product/B{n:08}")]
    }),
    ("a folder that may be another", |p, n, _| {
        (0..2).map(|_| format!("{}/{n}.html", p.word())).collect()
    }),
    ("a date before a name", |p, _, _| {
        let slug = p.slug() + &p.number.to_string();
        vec![slug.clone(), format!("20{:02}/{:02}/{slug}", p.below(20), 1 + p.below(12))]
    }),
    ("another name of an argument", |_, n, _| {
        vec![format!("v.php?id={n}"), format!("v.php?pid={n}")]
    }),
    ("an argument for a path", |_, n, _| {
        vec![format!("article/{n}"), format!("index.php?article={n}"), format!("?article={n}")]
    }),
    ("arguments before a file", |_, n, _| {
        vec![format!("Default.aspx?tabid={n}"), format!("tabid/{n}/Default.aspx")]
    }),
    ("an argument that is a folder", |p, _, at| {
        let language = ["fr", "de"][p.below(2) as usize];
        vec![format!("{language}/{at}"), format!("{at}?lang={language}")]
    }),
    ("an argument that is empty", |_, _, at| vec![at.into(), format!("{at}?q=")]),
    ("an argument that another determines", |_, n, _| {
        let forum = n % 9;
        vec![format!("topic.php?f={forum}&t={n}"), format!("topic.php?t={n}")]
    }),
    ("the order of a path's names", |p, n, _| {
        let (color, size) = (p.word(), p.below(4));
        vec![format!("{n}/color/{color}/size/{size}"), format!("{n}/size/{size}/color/{color}")]
    }),
    ("the order of a path's values", |p, n, _| {
        let color = format!("{:x}", p.any());
        vec![format!("color/{color}/id/{n}"), format!("id/{n}/color/{color}")]
    }),
];

/// The URLs of a page of one kind.
fn urls(kind: &Kind, number: usize) -> Vec<String> {
    let mut page = Page { number, asked: 0 };
    let folder = FOLDERS[page.below(FOLDERS.len() as u64) as usize];
    let number = 1000 + 7 * number;
    let at = format!("{folder}/{}-{number}", page.slug());
    let addresses = kind.1(&mut page, number, &at);
    addresses.into_iter().map(|address| format!("http://a.test/{address}")).collect()
}

#[test]
fn what_operators_know_by_name_is_learned() {
    let mut failed = Vec::new();
    for kind in KINDS {
        let pages: Vec<Vec<String>> = (0..PAGES.0).map(|number| urls(kind, number)).collect();
        let gated = gated(&pages);
        let of_training = pages.iter().flatten().map(|url| gated.form(url));
        let mut seen: FxHashSet<String> = of_training.collect();
        let mut is_one = true;
        for number in PAGES.0..PAGES.0 + PAGES.1 {
            let mut forms: Vec<String> =
                urls(kind, number).iter().map(|url| gated.form(url)).collect();
            forms.dedup();
            is_one &= forms.len() == 1 && seen.insert(forms.remove(0));
        }
        if !is_one || gated.lost() > 0 {
            failed.push((kind.0, gated.form(&urls(kind, 170)[1]), gated.lost()));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Which page came first, and under which URL, is the crawler's affair. How many threads learn is the machine's.
#[test]
fn neither_the_order_of_the_crawl_nor_the_number_of_threads_decides_anything() {
    let config = Config::default();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let learned = |pages: &[undust_pages::Page]| {
        let clusters = cluster(pages, &ClusterOptions::default());
        let set = TrainingSet::new(pages, &clusters);
        let learned = Method::Auto.learn(&set, &Training::new(&config)).expect("a model");
        let Model::Edits(editor) = learned.model else { panic!("no edits") };
        (String::from_utf8(editor.to_json().expect("JSON")), format!("{:?}", learned.conventions))
    };
    for kind in KINDS {
        let groups: Vec<Vec<String>> = (0..PAGES.0).map(|number| urls(kind, number)).collect();
        let (mut pages, _) = crawl(&groups);
        let in_order = learned(&pages);
        for shuffle in 1..3_u64 {
            let place = |url: &str| xxh3_64(&[&shuffle.to_le_bytes(), url.as_bytes()].concat());
            pages.sort_by_cached_key(|page| place(&page.url));
            assert_eq!(one_thread.install(|| learned(&pages)), in_order, "{}", kind.0);
        }
    }
}
