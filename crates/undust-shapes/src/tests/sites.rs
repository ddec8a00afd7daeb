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

    pub(super) fn word(&mut self) -> String {
        let letters = 4 + self.below(5);
        (0..letters)
            .map(|n| *self.pick(["bdfgklmnprst", "aeiou"][n % 2].as_bytes()) as char)
            .collect()
    }

    pub(super) fn words(&mut self, count: usize) -> Vec<String> {
        let mut words = HashSet::new();
        while words.len() < count {
            words.insert(self.word());
        }
        let mut words: Vec<String> = words.into_iter().collect();
        words.sort_unstable();
        words
    }

    pub(super) fn slug(&mut self) -> String {
        format!("{}-{}-{}", self.word(), self.word(), self.word())
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub(super) fn token(&mut self, letters: usize, alphabet: &[u8]) -> String {
        (0..letters).map(|_| *self.pick(alphabet) as char).collect()
    }
}

pub(super) const HEX: &[u8] = b"0123456789abcdef";
pub(super) const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

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
pub(super) const SITES: [fn(&mut Random) -> Vec<String>; 11] = [
    shop_by_number,
    shop_by_name,
    forum,
    wiki,
    news,
    forge,
    blog,
    catalogue,
    offers,
    offers_by_argument,
    albums,
];

pub(super) fn with_start(mut pages: Vec<String>, random: &mut Random) -> Vec<String> {
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

pub(super) fn forum(random: &mut Random) -> Vec<String> {
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

pub(super) fn news(random: &mut Random) -> Vec<String> {
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

pub(super) fn blog(random: &mut Random) -> Vec<String> {
    let mut pages: Vec<String> =
        (1..=300 + random.below(500)).map(|n| format!("/?p={n}")).collect();
    pages.extend((0..60).map(|_| format!("/?s={}", random.word())));
    pages.extend((2..=30).map(|n| format!("/page/{n}/")));
    pages.extend(random.words(40).iter().map(|tag| format!("/tag/{tag}/")));
    with_start(pages, random)
}

pub(super) fn catalogue(random: &mut Random) -> Vec<String> {
    let sections = random.words(25);
    let mut pages: Vec<String> = sections.iter().map(|s| format!("/{s}")).collect();
    for _ in 0..400 + random.below(800) {
        let section = random.pick(&sections).clone();
        pages.push(format!("/{section}/{}.html", random.slug()));
    }
    pages.extend((0..200).map(|_| format!("/image/{}", random.token(32, HEX))));
    with_start(pages, random)
}

/// The numbers of offers, each before its town or another word that comes again.
pub(super) fn offers(random: &mut Random) -> Vec<String> {
    let (folder, count) = (random.word(), 20 + random.below(300));
    let (towns, slash) = (random.words(count), *random.pick(&["", "/", ".html"]));
    let is_named = random.below(3) == 0;
    let mut pages: Vec<String> =
        towns.iter().take(40).map(|town| format!("/list/{town}")).collect();
    for number in 0..2000 + random.below(6000) {
        let town = random.pick(&towns).clone();
        let offer = if is_named { random.slug() } else { (100_000 + number).to_string() };
        pages.push(format!("/{folder}/{offer}/{town}{slash}"));
    }
    with_start(pages, random)
}

pub(super) fn offers_by_argument(random: &mut Random) -> Vec<String> {
    let (script, count) = (random.word(), 20 + random.below(300));
    let (towns, town) = (random.words(count), random.below(2));
    let mut pages: Vec<String> =
        towns.iter().take(40).map(|town| format!("/list/{town}")).collect();
    pages.extend((0..2000 + random.below(6000)).map(|number| match town {
        0 => format!("/{script}.php?id={number}"),
        _ => format!("/{script}/{number}?city={}", random.pick(&towns)),
    }));
    with_start(pages, random)
}

/// The pictures of each album, by numbers of their own.
pub(super) fn albums(random: &mut Random) -> Vec<String> {
    let folder = random.word();
    let mut pages: Vec<String> = Vec::new();
    for album in 1..=200 + random.below(300) {
        pages.push(format!("/{folder}/{album}/"));
        pages.extend((1..=random.below(12)).map(|picture| format!("/{folder}/{album}/{picture}")));
    }
    with_start(pages, random)
}
