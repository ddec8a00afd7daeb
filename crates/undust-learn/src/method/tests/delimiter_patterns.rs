//! A URL and its form name one page to a server, whether `;` parts arguments there or is a character
//! of a value.

use std::sync::LazyLock;

use proptest::prelude::*;
use url::{Url, form_urlencoded};

use undust_model::registry::Registry;
use undust_model::translation::Canonicalizer;

use super::normalize::{learned_of, saved};

/// Models of a wiki by several methods, each behind its site's guard: `/index.php?title=A` is
/// `/index.php/A`, and each has a page to be printed.
static WIKIS: LazyLock<Vec<(tempfile::TempDir, Registry)>> = LazyLock::new(|| {
    let name = |n: usize| {
        let letter = char::from(b'a' + n as u8 % 26).to_string();
        format!("{}{}", ["Main", "Foo", "Bar"][n / 26], letter.repeat(1 + n % 3))
    };
    let page = |n: usize| {
        let name = name(n);
        let urls = [format!("/{name}"), format!("?title={name}")];
        let printed = [format!("/{name}?printable=yes"), format!("?title={name}&printable=yes")];
        urls.into_iter().chain(printed).map(|url| format!("http://s.com/index.php{url}")).collect()
    };
    let pages: Vec<Vec<String>> = (0..78).map(page).collect();
    let registry = |method: &str| {
        let models = saved(&learned_of(&pages, method));
        let registry = Registry::open(models.path()).expect("the model");
        (models, registry)
    };
    ["auto", "tree", "rewrite", "duster"].map(registry).into()
});

/// The title and all other arguments, as a server reads them.
fn read(url: &str, parts_at_semicolons: bool) -> (String, Vec<(String, String)>) {
    let url = Url::parse(url).expect("a URL");
    let decoded = |text: &str| {
        let text = format!("x={}", text.replace('+', "%2B").replace('&', "%26"));
        let value = form_urlencoded::parse(text.as_bytes()).next();
        value.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    let query = url.query().unwrap_or_default();
    let query = if parts_at_semicolons { query.replace(';', "&") } else { query.to_owned() };
    let mut arguments: Vec<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    arguments.retain(|(name, value)| (&**name, &**value) != ("printable", "yes"));
    let title = match url.path().strip_prefix("/index.php/") {
        Some(title) => decoded(title),
        None => {
            let at = arguments.iter().position(|(name, _)| name == "title");
            at.map(|at| arguments.remove(at).1).unwrap_or_default()
        }
    };
    arguments.sort();
    (title, arguments)
}

#[test]
fn every_method_knows_the_wiki() {
    for (_, wiki) in &*WIKIS {
        let form = wiki.canonical("http://s.com/index.php?title=Zed&printable=yes");
        assert_eq!(form, "http://s.com/index.php/Zed");
    }
}

#[test]
fn a_value_is_not_cut_where_a_semicolon_may_be_a_part_of_it() {
    let (_, wiki) = &WIKIS[0];
    for (query, form) in [
        ("?title=A&b=c", "/A?b=c"),
        ("?b=c&title=A", "/A?b=c"),
        ("?title=A;b=c", "?title=A;b=c"),
        ("?b=c;title=A", "?b=c;title=A"),
        ("?title=;A", "?title=;A"),
        ("?title=A&printable=yes;b=c", "?title=A&printable=yes;b=c"),
        ("/A?b=c;d=e", "/A?b=c;d=e"),
    ] {
        let [url, form] = [query, form].map(|rest| format!("http://s.com/index.php{rest}"));
        assert_eq!(wiki.canonical(&url), form);
        // Also where it is written otherwise.
        assert_eq!(wiki.canonical(&url.replace("http:", "HTTPS:")), form);
    }
}

proptest! {
    #[test]
    fn a_form_names_the_page_of_its_url(
        before in prop::sample::select(&["", "", "x=1;", "x=1&", "x=1;y&", "printable=yes&"][..]),
        pieces in prop::collection::vec(
            prop::sample::select(&["A", "b", "/", "?", "+", "%41", "%3B", "&", ";", "=", "é"][..]), 0..6,
        ),
        after in prop::sample::select(&["", "", ";x=1", "&x=1", ";y", "&y;x=1", "&printable=yes"][..]),
    ) {
        let url = format!("http://s.com/index.php?{before}title={}{after}", pieces.concat());
        for (_, wiki) in &*WIKIS {
            let form = wiki.canonical(&url);
            for parts_at_semicolons in [false, true] {
                let [meant, got] = [&*url, &*form].map(|url| read(url, parts_at_semicolons));
                prop_assert_eq!(meant, got, "{} → {}, {}", url, form, parts_at_semicolons);
            }
            prop_assert_eq!(wiki.canonical(&form), &*form, "{}", url);
        }
    }
}

/// Names of many letters and no marks.
fn plain_names() -> impl Iterator<Item = String> {
    (0..60).map(|n| format!("name{}", char::from(b'a' + n % 26)).repeat(1 + n as usize / 26))
}

/// Of a value that is delimited as none was in training no method takes a part for the whole.
#[test]
fn no_part_of_a_value_is_copied_without_the_rest() {
    let files = |name: String| {
        vec![format!("http://s.com/d/{name}.html"), format!("http://s.com/d/{name}")]
    };
    let titles = |name: String| {
        vec![format!("http://s.com/i.php?title={name}"), format!("http://s.com/i.php/{name}")]
    };
    let files: Vec<_> = plain_names().map(files).collect();
    let titles: Vec<_> = plain_names().map(titles).collect();
    for method in ["rewrite", "tree", "dustbuster", "duster", "auto"] {
        let [files, titles] = [&files, &titles].map(|groups| {
            let models = saved(&learned_of(groups, method));
            let registry = Registry::open(models.path()).expect("the model");
            (models, registry)
        });
        let is_one = |(_, site): &(tempfile::TempDir, Registry), urls: [&str; 2]| {
            let [a, b] =
                urls.map(|url| site.canonical(&format!("http://s.com/{url}")).into_owned());
            a == b
        };
        assert!(is_one(&titles, ["i.php?title=secret", "i.php/secret"]), "{method}");
        for urls in [
            ["i.php?title=../../../secret", "i.php/secret"],
            ["i.php?title=/secret", "i.php/secret"],
            ["i.php?title=A&title=B", "i.php/A"],
            ["i.php?title=A&title=B", "i.php/A&title=B"],
            ["i.php?title=A,B", "i.php/A"],
            ["i.php?title=A=", "i.php?title=A"],
        ] {
            assert!(!is_one(&titles, urls), "{method}: {urls:?}");
        }
        for urls in
            [["d/readme.txt.html", "d/readme.md.html"], ["d/foo-1.2.html", "d/foo-1.3.html"]]
        {
            assert!(!is_one(&files, urls), "{method}: {urls:?}");
        }
    }
}
