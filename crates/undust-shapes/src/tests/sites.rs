//! Generated sites, with traps and without, and the logs of those who ask for them.

use std::collections::HashSet;

use undust_pages::Response;
use undust_pages::agent::AgentClass::{AiCrawler, Browser, SearchEngine, SeoTool};

/// Numbers that look random (Vigna's splitmix64).
pub(super) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// As people choose: the first of many far more often than the last.
    fn popular(&mut self, end: usize) -> usize {
        let (a, b) = (self.below(end), self.below(end));
        self.below(a.min(b) + 1)
    }

    fn word(&mut self) -> String {
        let letters = 4 + self.below(5);
        (0..letters)
            .map(|n| *self.pick(&["bdfgklmnprst", "aeiou"][n % 2].as_bytes()) as char)
            .collect()
    }

    fn words(&mut self, count: usize) -> Vec<String> {
        let mut words = HashSet::new();
        while words.len() < count {
            words.insert(self.word());
        }
        let mut words: Vec<String> = words.into_iter().collect();
        words.sort_unstable();
        words
    }

    fn slug(&mut self) -> String {
        format!("{}-{}-{}", self.word(), self.word(), self.word())
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn token(&mut self, letters: usize, alphabet: &[u8]) -> String {
        (0..letters).map(|_| *self.pick(alphabet) as char).collect()
    }
}

const HEX: &[u8] = b"0123456789abcdef";
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Days of a log in seconds.
const LENGTH: usize = 28 * 86_400;

/// Who asks, and for what.
#[derive(Default)]
pub(super) struct Log {
    pub requests: Vec<Response>,
    pub trap: HashSet<String>,
    pub honest: HashSet<String>,
}

impl Log {
    fn ask(&mut self, url: &str, class: undust_pages::AgentClass, at: usize, size: usize) {
        let (day, rest) = (1 + at / 86_400, at % 86_400);
        let time =
            format!("2031-05-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60);
        self.requests.push(Response {
            url: format!("http://a.test{url}"),
            status: 200,
            time: Some(time),
            agent: Some(class),
            length: Some(size as u64),
            ..Response::default()
        });
    }

    /// The site itself: each of some robots asks for each page once, and people for what they like, `per_page` times a
    /// page. The first pages are the most popular.
    pub(super) fn site(
        &mut self,
        random: &mut Random,
        pages: &[String],
        robots: usize,
        per_page: f64,
    ) {
        for (number, url) in pages.iter().enumerate() {
            for robot in 0..robots {
                let class = [AiCrawler, SearchEngine, SeoTool][robot % 3];
                self.ask(url, class, random.below(LENGTH), 5000 + number * 37 % 60_000);
            }
        }
        for _ in 0..(pages.len() as f64 * per_page) as usize {
            let number = random.popular(pages.len());
            self.ask(&pages[number], Browser, random.below(LENGTH), 5000 + number * 37 % 60_000);
        }
        let asked = self.requests.iter().map(|one| one.url["http://a.test".len()..].to_owned());
        self.honest = asked.collect();
    }

    /// URLs of a trap, a part of them asked for by robots that call themselves browsers.
    pub(super) fn trap(
        &mut self,
        random: &mut Random,
        urls: &[String],
        hidden: usize,
        size: Option<usize>,
    ) {
        for url in urls {
            let class = if random.below(100) < hidden {
                Browser
            } else {
                *random.pick(&[AiCrawler, SearchEngine])
            };
            let size = size.unwrap_or(5000 + random.below(60_000));
            self.ask(url, class, random.below(LENGTH), size);
            self.trap.insert(url.clone());
        }
    }
}

/// Sites without a trap; the first pages are the most popular.
pub(super) const SITES: [fn(&mut Random) -> Vec<String>; 8] =
    [shop_by_number, shop_by_name, forum, wiki, news, forge, blog, catalogue];

fn with_start(mut pages: Vec<String>, random: &mut Random) -> Vec<String> {
    let mut all = vec!["/".to_owned(), "/about".to_owned(), format!("/{}", random.word())];
    all.append(&mut pages);
    all
}

pub(super) fn shop_by_number(random: &mut Random) -> Vec<String> {
    let (script, id, list) = (random.word(), random.word(), random.word());
    let products = (0..300 + random.below(900)).map(|n| format!("/{script}.php?{id}={}", n + 1));
    let lists = (0..20).flat_map(|c| {
        let list = &list;
        (1..=4).map(move |page| match page {
            1 => format!("/{list}/{c}"),
            _ => format!("/{list}/{c}?page={page}"),
        })
    });
    with_start(lists.collect::<Vec<_>>().into_iter().chain(products).collect(), random)
}

pub(super) fn shop_by_name(random: &mut Random) -> Vec<String> {
    let (folder, categories) = (random.word(), random.words(14));
    let mut pages: Vec<String> = categories.iter().map(|c| format!("/{folder}/{c}/")).collect();
    pages.extend(categories.iter().map(|c| format!("/{folder}/{c}/?orderby=price")));
    pages
        .extend(categories.iter().flat_map(|c| [2, 3].map(|n| format!("/{folder}/{c}/page/{n}/"))));
    pages.extend((0..200 + random.below(600)).map(|_| format!("/product/{}/", random.slug())));
    with_start(pages, random)
}

fn forum(random: &mut Random) -> Vec<String> {
    let mut pages: Vec<String> = (1..=15).map(|f| format!("/viewforum.php?f={f}")).collect();
    for topic in 1..=400 + random.below(900) {
        pages.push(format!("/viewtopic.php?t={topic}"));
        pages.extend(
            (1..random.below(4)).map(|n| format!("/viewtopic.php?t={topic}&start={}", n * 15)),
        );
    }
    pages.extend((0..100).map(|_| format!("/user/{}", random.word())));
    pages.extend((0..40).map(|_| format!("/search.php?q={}", random.word())));
    with_start(pages, random)
}

pub(super) fn wiki(random: &mut Random) -> Vec<String> {
    let count = 300 + random.below(700);
    let pages = random.words(count);
    let titles = pages.iter().map(|title| format!("/w/index.php?title={title}")).collect();
    with_start(titles, random)
}

fn news(random: &mut Random) -> Vec<String> {
    let mut pages = Vec::new();
    for _ in 0..500 + random.below(2000) {
        let (year, month) = (2010 + random.below(20), 1 + random.below(12));
        pages.push(format!("/{year}/{month:02}/{}", random.slug()));
        if random.below(10) == 0 {
            pages.push(format!("/{year}/{month:02}/"));
        }
    }
    pages.sort_unstable_by_key(|page| page.len() % 7);
    pages.dedup();
    with_start(pages, random)
}

pub(super) fn forge(random: &mut Random) -> Vec<String> {
    let repositories: Vec<String> = (0..3 + random.below(30))
        .map(|_| format!("/{}/{}", random.word(), random.word()))
        .collect();
    let files = random.words(30);
    let mut pages: Vec<String> = repositories.clone();
    for repository in &repositories {
        pages.push(format!("{repository}/issues"));
        pages.extend((1..=20 + random.below(40)).map(|n| format!("{repository}/issues/{n}")));
        pages.extend(files.iter().map(|file| format!("{repository}/src/branch/main/{file}.rs")));
    }
    with_start(pages, random)
}

fn blog(random: &mut Random) -> Vec<String> {
    let mut pages: Vec<String> =
        (1..=300 + random.below(500)).map(|n| format!("/?p={n}")).collect();
    pages.extend((0..60).map(|_| format!("/?s={}", random.word())));
    pages.extend((2..=30).map(|n| format!("/page/{n}/")));
    pages.extend(random.words(40).iter().map(|tag| format!("/tag/{tag}/")));
    with_start(pages, random)
}

fn catalogue(random: &mut Random) -> Vec<String> {
    let sections = random.words(25);
    let mut pages: Vec<String> = sections.iter().map(|s| format!("/{s}")).collect();
    for _ in 0..400 + random.below(800) {
        let section = random.pick(&sections).clone();
        pages.push(format!("/{section}/{}.html", random.slug()));
    }
    pages.extend((0..200).map(|_| format!("/image/{}", random.token(32, HEX))));
    with_start(pages, random)
}

/// A trap: the pages of its site, its URLs, what its cause is called, and the size of all its answers.
pub(super) struct Trap {
    pub pages: Vec<String>,
    pub urls: Vec<String>,
    pub causes: Vec<String>,
    pub size: Option<usize>,
}

pub(super) const TRAPS: [(&str, fn(&mut Random) -> Trap); 16] = [
    ("token", token),
    ("session", session),
    ("cart", cart),
    ("filters", filters),
    ("filters of lists", filters_of_lists),
    ("numbered filters", numbered_filters),
    ("tags", tags),
    ("commits", commits),
    ("months", months),
    ("days", days),
    ("days by argument", days_by_argument),
    ("dates by argument", dates_by_argument),
    ("session in the path", session_in_path),
    ("empty pages", empty_pages),
    ("versions", versions),
    ("replies", replies),
];

fn distinct(urls: impl IntoIterator<Item = String>) -> Vec<String> {
    let urls: HashSet<String> = urls.into_iter().collect();
    let mut urls: Vec<String> = urls.into_iter().collect();
    urls.sort_unstable();
    urls
}

fn token(random: &mut Random) -> Trap {
    let pages = catalogue(random);
    let (name, letters) = (random.word(), 20 + random.below(25));
    let urls = (0..3000 + random.below(3000)).map(|_| {
        let page = random.pick(&pages[30..230]).clone();
        format!("{page}?{name}={}", random.token(letters, LETTERS))
    });
    Trap { urls: distinct(urls.collect::<Vec<_>>()), pages, causes: vec![name], size: None }
}

fn session(random: &mut Random) -> Trap {
    let pages = shop_by_number(random);
    let name = random.word();
    let urls = (0..4000).map(|_| {
        let page = random.pick(&pages[3..400.min(pages.len())]).clone();
        let mark = if page.contains('?') { '&' } else { '?' };
        format!("{page}{mark}{name}={}", random.token(32, HEX))
    });
    Trap { urls: distinct(urls.collect::<Vec<_>>()), pages, causes: vec![name], size: None }
}

fn cart(random: &mut Random) -> Trap {
    let pages = shop_by_name(random);
    let name = format!("add-{}", random.word());
    let urls = (0..3000).map(|_| {
        let page = random.pick(&pages).clone();
        let mark = if page.contains('?') { '&' } else { '?' };
        format!("{page}{mark}{name}={}", 7000 + random.below(800))
    });
    Trap { urls: distinct(urls.collect::<Vec<_>>()), pages, causes: vec![name], size: None }
}

fn filter_query(random: &mut Random, names: &[String], values: &[String]) -> String {
    let mut query: Vec<String> = Vec::new();
    for name in names {
        if random.below(10) < 6 {
            let count = 1 + random.below(3);
            let values: Vec<&str> = (0..count).map(|_| random.pick(values).as_str()).collect();
            query.push(format!("{name}={}", values.join(",")));
        }
    }
    query.join("&")
}

fn filters(random: &mut Random) -> Trap {
    let pages = blog(random);
    let (path, count) = (random.word(), 4 + random.below(3));
    let (names, values) = (random.words(count), random.words(5));
    let urls = (0..4000).map(|_| format!("/{path}/?{}", filter_query(random, &names, &values)));
    let urls = urls.filter(|url| !url.ends_with('?')).collect::<Vec<_>>();
    let causes = vec!["combinations".to_owned()];
    Trap { urls: distinct(urls), pages, causes, size: None }
}

fn filters_of_lists(random: &mut Random) -> Trap {
    let pages = shop_by_name(random);
    let lists: Vec<String> = pages
        .iter()
        .filter(|page| page.ends_with('/') && !page.contains("product"))
        .take(16)
        .skip(1)
        .cloned()
        .collect();
    let count = 4 + random.below(3);
    let (names, values) = (random.words(count), random.words(5));
    let urls = (0..4000).map(|_| {
        format!("{}?{}", random.pick(&lists).clone(), filter_query(random, &names, &values))
    });
    let urls = urls.filter(|url| url.matches('&').count() > 1).collect::<Vec<_>>();
    let causes = [vec!["combinations".to_owned()], names].concat();
    Trap { urls: distinct(urls), pages, causes, size: None }
}

fn commits(random: &mut Random) -> Trap {
    let pages = forge(random);
    let repositories: Vec<String> = pages
        .iter()
        .filter(|page| page.ends_with("/issues"))
        .map(|page| page.replace("/issues", ""))
        .collect();
    let letters = *random.pick(&[40, 40, 10, 64]);
    let hashes: Vec<String> =
        (0..150 + random.below(3000)).map(|_| random.token(letters, HEX)).collect();
    let count = 20 + random.below(40);
    let files = random.words(count);
    let word = random.word();
    let urls = (0..4000).map(|_| {
        let (hash, file) = (random.pick(&hashes).clone(), random.pick(&files).clone());
        let verb = *random.pick(&["src", "raw", "blame"]);
        let folder = ["", "lib/", "doc/"][random.below(3)];
        format!("{}/{verb}/{word}/{hash}/{folder}{file}.rs", random.pick(&repositories).clone())
    });
    let causes = vec!["{hex}".to_owned()];
    Trap { urls: distinct(urls.collect::<Vec<_>>()), pages, causes, size: None }
}

fn months(random: &mut Random) -> Trap {
    let (pages, folder) = (news(random), random.word());
    let urls = (1900..2100).flat_map(|year| (1..=12).map(move |month| (year, month)));
    let urls = urls.map(|(year, month)| format!("/{folder}/{year}/{month}"));
    let causes = vec!["{number}".to_owned()];
    Trap { urls: urls.collect(), pages, causes, size: None }
}

fn days(random: &mut Random) -> Trap {
    let (pages, folder) = (blog(random), random.word());
    let urls = (1990..2090).flat_map(|year| (1..=12).map(move |month| (year, month)));
    let urls = urls.flat_map(|(year, month)| {
        [3, 14, 27].map(|day| format!("/{folder}/{year}-{month:02}-{day:02}"))
    });
    let causes = vec!["{date}".to_owned()];
    Trap { urls: urls.collect::<Vec<_>>(), pages, causes, size: *random.pick(&[None, Some(4711)]) }
}

fn days_by_argument(random: &mut Random) -> Trap {
    let (pages, folder, name) = (blog(random), random.word(), random.word());
    let urls = (0..3000).map(|day| format!("/{folder}?{name}={}", 86_400 * day));
    Trap { urls: urls.collect(), pages, causes: vec![name], size: Some(4711) }
}

fn empty_pages(random: &mut Random) -> Trap {
    let size = random.pick(&[None, Some(20_045)]).to_owned();
    let folder = random.word();
    let users = random.words(20);
    let mut pages: Vec<String> = users.iter().map(|user| format!("/{folder}/{user}")).collect();
    pages.extend(users.iter().flat_map(|user| {
        let folder = &folder;
        (1..=3).map(move |page| format!("/{folder}/{user}?page={page}"))
    }));
    pages.extend((0..400).map(|_| format!("/display/{}", random.token(32, HEX))));
    let urls = (0..3000).map(|_| {
        let (user, month) = (random.pick(&users).clone(), 1 + random.below(12));
        format!("/{folder}/{user}/2017-{month:02}-31?page={}", 1 + random.below(300))
    });
    Trap {
        urls: distinct(urls.collect::<Vec<_>>()),
        pages: with_start(pages, random),
        causes: vec!["page".into()],
        size,
    }
}

fn versions(random: &mut Random) -> Trap {
    let pages = wiki(random);
    let titles: Vec<String> =
        pages.iter().filter(|page| page.contains("title=")).cloned().collect();
    let mut number = 1000;
    let urls = (0..6000).map(|_| {
        number += 1;
        let title = random.pick(&titles).clone();
        match random.below(8) {
            0 => format!(
                "{title}&action={}",
                random.pick(&["edit", "history", "info", "raw", "purge"])
            ),
            1 => format!("{title}&oldid={number}"),
            2 => format!("{title}&diff=prev&oldid={number}"),
            _ => format!("{title}&diff={}&oldid={number}", number + 1),
        }
    });
    Trap {
        urls: distinct(urls.collect::<Vec<_>>()),
        pages,
        causes: vec!["oldid".into()],
        size: None,
    }
}

fn replies(random: &mut Random) -> Trap {
    let pages = news(random);
    let posts: Vec<String> =
        pages.iter().filter(|page| page.len() > 12).take(300).cloned().collect();
    let name = random.word();
    let urls = (0..3000).map(|number| format!("{}?{name}={number}", random.pick(&posts).clone()));
    Trap { urls: distinct(urls.collect::<Vec<_>>()), pages, causes: vec![name], size: None }
}

fn numbered_filters(random: &mut Random) -> Trap {
    let pages = shop_by_name(random);
    let (folder, values) = (random.word(), random.words(30));
    let urls = (0..4000).map(|_| {
        let query = (0..1 + random.below(5)).map(|n| format!("f[{n}]={}", random.pick(&values)));
        format!("/{folder}?{}", query.collect::<Vec<_>>().join("&"))
    });
    let causes = vec!["combinations".to_owned()];
    Trap { urls: distinct(urls.collect::<Vec<_>>()), pages, causes, size: None }
}

fn tags(random: &mut Random) -> Trap {
    let (pages, name, values) = (blog(random), random.word(), random.words(25));
    let urls = (0..4000).map(|_| {
        let tags = (0..1 + random.below(5)).map(|_| random.pick(&values).clone());
        format!("/?{name}={}", tags.collect::<Vec<_>>().join(["%2C", ","][values.len() % 2]))
    });
    let causes = vec!["combinations".to_owned(), name.clone()];
    Trap { urls: distinct(urls.collect::<Vec<_>>()), pages, causes, size: None }
}

fn dates_by_argument(random: &mut Random) -> Trap {
    let (pages, folder, name) = (blog(random), random.word(), random.word());
    let dates = (1990..2090).flat_map(|year| (1..=12).map(move |month| (year, month)));
    let urls = dates.flat_map(|(year, month)| {
        let (folder, name) = (&folder, &name);
        [3, 14, 27].map(|day| format!("/{folder}/?{name}={year}-{month:02}-{day:02}"))
    });
    Trap { urls: urls.collect(), pages, causes: vec![name], size: None }
}

fn session_in_path(random: &mut Random) -> Trap {
    let pages = catalogue(random);
    let urls = (0..4000).map(|_| {
        let page = random.pick(&pages[30..230]).clone();
        format!("{page};jsessionid={}", random.token(32, HEX))
    });
    let urls = distinct(urls.collect::<Vec<_>>());
    Trap { urls, pages, causes: vec![";jsessionid".to_owned()], size: None }
}
