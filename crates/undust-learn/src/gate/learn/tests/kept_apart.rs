//! What a crawl does not tell: pages that no model of it may give one form. Each crawl is after an attack, or after
//! a report of pages that were lost.

use super::*;

/// A crawl, and pairs of URLs that show different pages, known or not.
struct Apart {
    name: &'static str,
    groups: Vec<Vec<String>>,
    pairs: Vec<[String; 2]>,
}

fn url(rest: impl std::fmt::Display) -> String {
    format!("http://a.test/{rest}")
}

fn pairs<const N: usize>(pairs: [[&str; 2]; N]) -> Vec<[String; 2]> {
    pairs.map(|pair| pair.map(url)).into()
}

/// Some hundred pages of a site, of which half have two URLs.
fn usual() -> Vec<Vec<String>> {
    let page = |n: usize| match n % 2 {
        0 => vec![url(format_args!("news/{n}")), url(format_args!("news/{n}?sid={}", 31 * n))],
        _ => vec![url(format_args!("news/{n}"))],
    };
    (100..700).map(page).collect()
}

fn usual_and(more: impl IntoIterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    usual().into_iter().chain(more).collect()
}

const WORDS: [&str; 12] = [
    "apple", "river", "stone", "cloud", "maple", "tiger", "piano", "rocket", "garden", "silver",
    "copper", "violet",
];

/// Whoever knows only that the word before a number says nothing knows nothing of words alone.
fn words_before_numbers() -> Apart {
    let page = |n: usize| {
        [0, 1].map(|word| url(format_args!("wiki/{}_{}", WORDS[(n + word * 5) % 12], 900 + n)))
    };
    Apart {
        name: "a word without a number",
        groups: (0..60).map(|n| page(n).into()).collect(),
        pairs: pairs([["wiki/resume", "wiki/vita"], ["wiki/apple", "wiki/river"]]),
    }
}

fn sessions_before_the_path() -> Apart {
    let session = |n: usize| format!("(S({:x}q{:x}))", 0x51ed_u64 * (n as u64 + 3), n);
    let groups = (100..160).map(|n| {
        let item = format!("shop/item{n}.aspx");
        vec![url(&item), url(format_args!("{}/{item}", session(n)))]
    });
    Apart {
        name: "a folder that is no session",
        groups: groups.collect(),
        pairs: pairs([
            ["admin/user5.aspx", "help/user5.aspx"],
            ["eu/shop/item7.aspx", "us/shop/item7.aspx"],
        ]),
    }
}

/// Versions of others' files say nothing of one whose versions differ, whatever their numbers.
fn numbers_of_more_digits() -> Apart {
    let others = (0..40).map(|author| {
        let file = |n: usize| url(format_args!("u/{author}x/x/{}", 37 + author * 11 + n * 53));
        (0..4).map(file).collect()
    });
    let of_bob = (90..100).map(|n| vec![url(format_args!("u/bob/x/{n}"))]);
    Apart {
        name: "a number of more digits than the exceptions have",
        groups: usual_and(others.chain(of_bob)),
        pairs: pairs([["u/bob/x/100", "u/bob/x/101"], ["u/bob/x/7", "u/bob/x/1234"]]),
    }
}

/// Three copies of others' items do not say that the number of an item is nothing.
fn clones_of_items() -> Apart {
    let items = (10..300).map(|n| vec![url(format_args!("item?id={n}"))]);
    let clones =
        (1..10).map(|n| vec![url(format_args!("item?id={n}")), url(format_args!("alice?id={n}"))]);
    Apart {
        name: "a neighbour's copies of items",
        groups: usual_and(items.chain(clones)),
        pairs: pairs([
            ["item?id=1234", "item?id=1235"],
            ["item?id=11", "item?id=12"],
            ["bob?id=1", "bob?id=2"],
        ]),
    }
}

/// An author copies pages of another, so that those of all would be written as the author's.
fn clones_of_folders() -> Apart {
    let bob = (20..60).map(|n| vec![url(format_args!("bob/post-{n}"))]);
    let clones = (1..9)
        .map(|n| vec![url(format_args!("bob/post-{n}")), url(format_args!("alice/post-{n}"))]);
    Apart {
        name: "a neighbour's copies of a folder",
        groups: usual_and(bob.chain(clones)),
        pairs: pairs([["bob/post-777", "alice/post-777"], ["carol/post-5", "bob/post-5"]]),
    }
}

/// Files of a few names are in all folders, with two URLs each, which are two files in one folder. What is seen there of
/// some names says what its others are.
fn folders_of_like_files(two: fn(&str) -> [String; 2], name: &'static str) -> Apart {
    let folders = ["alpha", "bravo", "delta", "gamma", "kappa", "lambda", "omega", "sigma"];
    let in_folder = |folder: &'static str, from: usize| {
        WORDS[from..].iter().map(move |word| two(&format!("{folder}/{word}")).map(url))
    };
    let like = folders.into_iter().flat_map(|folder| in_folder(folder, 0)).map(Vec::from);
    let apart = in_folder("theta", 9).flatten().map(|one| vec![one]);
    Apart {
        name,
        groups: like.chain(apart).collect(),
        pairs: WORDS[..9].iter().map(|word| two(&format!("theta/{word}")).map(url)).collect(),
    }
}

/// Of each word one version was seen, behind a `;` and behind a `&`. That says nothing of the version.
fn delimiters(seed: usize) -> Apart {
    let versions = 2 + seed % 9;
    let page = |n: usize| {
        let version = (n * 7 + seed * 5) % versions;
        [";", "&"].map(|mark| url(format_args!("s?a={}{n}{mark}n={version}", WORDS[n % 12]))).into()
    };
    Apart {
        name: "an argument behind two delimiters",
        groups: (0..20 + seed).map(page).collect(),
        pairs: pairs([["s?a=resume;n=0", "s?a=resume;n=1"], ["s?a=vita&n=0", "s?a=vita&n=1"]]),
    }
}

/// Months without events show one page, and months with events are pages of their own. Which are empty is chance.
fn lucky_months(seed: usize) -> Apart {
    let month =
        |year: usize, month: usize| url(format_args!("events?year={year}&month={month:02}"));
    let is_full = |year: usize, month: usize| (year * 31 + month * 17 + seed * 7).is_multiple_of(9);
    let all = || (1990..2030).flat_map(|year| (1..13).map(move |month| (year, month)));
    let full =
        all().filter(|(year, of)| is_full(*year, *of)).map(|(year, of)| vec![month(year, of)]);
    let empty =
        all().filter(|(year, of)| !is_full(*year, *of)).map(|(year, of)| month(year, of)).collect();
    let years = [1987, 2031, 2035].iter();
    let pairs = years.flat_map(|year| (1..12).map(|of| [month(*year, of), month(*year, of + 1)]));
    Apart {
        name: "months that were empty so far",
        groups: usual_and(full.chain([empty])),
        pairs: pairs.collect(),
    }
}

/// Files that are one in all versions, but for each fourth; of these, each second was seen in one version.
fn versions_of_files() -> Apart {
    let file = |n: usize| {
        let word = |at: usize| WORDS[at % 12];
        format!("src/{}/{}-{}.c", word(n), word(n * 5 + n / 12), word(n * 7 % 11))
    };
    let at = |version: &str, n: usize| url(format_args!("code/{version}/{}", file(n)));
    let groups = (0..84).flat_map(|n| {
        let seen = ["main", "head", "v1", "v2"].into_iter().filter(|of| (n + of.len()) % 5 > 0);
        match n {
            _ if n % 4 > 0 => vec![seen.map(|version| at(version, n)).collect()],
            _ if n % 8 == 0 => vec![vec![at("main", n)]],
            _ => {
                let new = ["main", "head"].map(|version| at(version, n));
                vec![new.into(), vec![at("v1", n)], vec![at("v2", n)]]
            }
        }
    });
    Apart {
        name: "a file that was seen in one version",
        groups: groups.collect(),
        pairs: (0..84).step_by(8).map(|n| [at("main", n), at("v1", n)]).collect(),
    }
}

/// Forty filters of a list that was empty showed one page.
fn an_empty_list() -> Apart {
    let full = (0..60).map(|n| vec![url(format_args!("query?owner=u{n}x&order=id"))]);
    let empty = (0..40).map(|n| url(format_args!("query?status=s{n}x&owner=w{n}x&order=id")));
    Apart {
        name: "filters of an empty list",
        groups: usual_and(full.chain([empty.collect()])),
        pairs: pairs([[
            "query?status=open&owner=a1x&order=id",
            "query?status=open&owner=b2x&order=id",
        ]]),
    }
}

#[test]
fn what_a_crawl_does_not_tell_is_kept_apart() {
    let months = (0..9).map(lucky_months);
    let others = [
        words_before_numbers(),
        sessions_before_the_path(),
        numbers_of_more_digits(),
        clones_of_items(),
        clones_of_folders(),
        an_empty_list(),
        versions_of_files(),
    ];
    let like_files = [
        folders_of_like_files(|file| [file.to_owned(), format!("{file}/")], "a slash"),
        folders_of_like_files(
            |file| ["", "index.php"].map(|end| format!("{file}/{end}")),
            "an index",
        ),
        folders_of_like_files(
            |file| ["", ".html"].map(|end| format!("{file}{end}")),
            "an extension",
        ),
        folders_of_like_files(
            |file| ["", "amp;"].map(|amp| format!("{file}?a=1&{amp}b=2")),
            "&amp;",
        ),
    ];
    let others = others.into_iter().chain(like_files);
    let mut failed = Vec::new();
    let delimiters = (0..100).map(delimiters);
    for Apart { name, groups, pairs } in others.chain(months).chain(delimiters) {
        let gated = gated(&groups);
        let merged = pairs.iter().find(|[one, other]| gated.form(one) == gated.form(other));
        if merged.is_some() || gated.lost() > 0 {
            failed.push((name, merged.cloned(), gated.lost()));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
