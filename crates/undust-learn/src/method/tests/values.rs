//! Sites that put lists in order and paths in lower case: a shape determines neither.

use std::sync::LazyLock;

use proptest::prelude::*;

use crate::learned::Learned;
use undust_model::translation::Canonicalizer;

use super::normalize::{learned_of, short_is_long, translate_by_shape};

/// Questions with tags, in any order, and by names that can be left out; pages in any case, which can
/// be named by an argument, too.
static LEARNED: LazyLock<Learned> = LazyLock::new(|| {
    let letter = |n: usize| char::from(b'a' + n as u8 % 26).to_string().repeat(1 + n / 26);
    let group = |n: usize| {
        let (url, name) = ("http://s.com", letter(n));
        vec![
            vec![
                format!("{url}/q/tags:{name},b/?sort={n},1&n=b"),
                format!("{url}/q/tags:b,{name}/?sort={n},1&n=b"),
                format!("{url}/q/tags:{name},b/?sort={n},1&n=b&sid=7{n}"),
                format!("{url}/q/tags:{name},b/?sort={n},1&n=b&sid=8{n}"),
            ],
            vec![
                format!("{url}/p/{name}b"),
                format!("{url}/P/{}B", name.to_uppercase()),
                format!("{url}/p?title={name}b"),
            ],
            vec![format!("{url}/list?tags={n},1"), format!("{url}/list?tags=1,{n}")],
        ]
    };
    let groups: Vec<_> = (2..60).flat_map(group).collect();
    learned_of(&groups, "auto")
});

#[test]
fn values_are_rewritten_in_the_spelling_of_their_site() {
    for (url, form) in [
        ("/q/tags:z,y,x/?sort=2,1&n=b&sid=99", "/q/tags:x,y,z/?sort=2,1&n=b"),
        ("/P/QQ", "/p/qq"),
        ("/p?title=zzzz", "/p/zzzz"),
        ("/list?tags=7,6", "/list?tags=6,7"),
    ] {
        let [url, form] = [url, form].map(|path| format!("http://s.com{path}"));
        assert_eq!(LEARNED.canonical(&url), form);
    }
    let cause = LEARNED.canonicalize("http://s.com/P/Z?u=1").cause.to_string();
    assert_eq!(cause, "path in lower case: s.com/p; set aside: u");
}

#[test]
fn other_urls_of_such_a_site_take_the_short_way() {
    let conventions = LEARNED.conventions.as_ref().expect("conventions");
    let is_told = |path: &str| {
        translate_by_shape(conventions, &LEARNED.model, &format!("http://s.com{path}")).is_some()
    };
    assert!(is_told("/p/abc") && is_told("/list?tags=7"));
    assert!(!is_told("/p/Abc") && !is_told("/list?tags=7,6") && !is_told("/list?tags=7%2C6"));
}

proptest! {
    #[test]
    fn the_short_way_ends_where_the_long_one_does(
        urls in proptest::collection::vec(
            "http://s\\.com/(q/tags:[abB%]{1,2}(,|%2C)[aB]/?|[pP]/[abB]{1,3}|[pP]|list)(\\?(title|tags|sort|n|sid)=[12aB+%]{1,2}(,[12B])?(&(tags|sid|n)=[12,%aB]{1,3}){0,2})?",
            1..30,
        ),
    ) {
        short_is_long(&LEARNED, &urls)?;
        for url in &urls {
            let form = LEARNED.canonical(url);
            prop_assert_eq!(LEARNED.canonical(&form), form.as_ref(), "{}", url);
        }
    }
}
