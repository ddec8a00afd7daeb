//! Generated traps, each with the site in which it is.

use std::collections::HashSet;

use super::sites::{
    HEX, LETTERS, Random, blog, catalogue, forge, news, shop_by_name, shop_by_number, wiki,
    with_start,
};

/// A trap: the pages of its site, its URLs, what its cause is called, and the size of all its answers.
pub(super) struct Trap {
    pub pages: Vec<String>,
    pub urls: Vec<String>,
    pub causes: Vec<String>,
    pub size: Option<usize>,
}

type Make = fn(&mut Random) -> Trap;

/// Traps of all kinds.
pub(super) const TRAPS: [(&str, Make); 18] = [
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
    ("comparisons", comparisons),
    ("days with files", days_with_files),
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

fn comparisons(random: &mut Random) -> Trap {
    let pages = forge(random);
    let repositories: Vec<String> = pages
        .iter()
        .filter(|page| page.ends_with("/issues"))
        .map(|page| page.replace("/issues", ""))
        .collect();
    let (letters, dots) = (*random.pick(&[40, 10, 64]), *random.pick(&["...", ".."]));
    let hashes: Vec<String> = (0..2000).map(|_| random.token(letters, HEX)).collect();
    let urls = (0..3000).map(|_| {
        let (one, other) = (random.pick(&hashes).clone(), random.pick(&hashes).clone());
        format!("{}/compare/{one}{dots}{other}", random.pick(&repositories).clone())
    });
    let urls = distinct(urls.collect::<Vec<_>>());
    Trap { urls, pages, causes: vec!["{hex..hex}".to_owned()], size: None }
}

/// A calendar each of whose days can be had as a file.
fn days_with_files(random: &mut Random) -> Trap {
    let Trap { pages, urls, causes, size } = days(random);
    let name = random.word();
    let with_files = |url: String| {
        let files = [1, 2].map(|number| format!("{url}?{name}-{number}=1"));
        [vec![url], files.to_vec()].concat()
    };
    Trap { urls: urls.into_iter().flat_map(with_files).collect(), pages, causes, size }
}
