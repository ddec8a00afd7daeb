//! Whatever way a URL takes, its form is the same.

use std::sync::Arc;

use proptest::prelude::*;

use crate::learned::{Learned, save};
use undust_edits::conventions::UrlConventions;
use undust_edits::editor::Editor;
use undust_model::folder::files::load;
use undust_model::model::Model;
use undust_model::registry::Registry;
use undust_model::translation::{Canonicalizer, How, Reason, Rewriter, Translation};
use undust_testing::crawl;
use undust_url::site::{SiteBy, site_of};

use crate::config::Config;
use crate::method::{Method, Training};
use crate::training::TrainingSet;

/// Users with a name that can be left out, and `?page=1`, which is the page without it.
fn learned(method: &str) -> Learned {
    let groups: Vec<_> = (0..40)
        .map(|n| {
            let user = format!("http://s.com/users/{n}a");
            vec![format!("{user}/name{n}"), user.clone(), format!("{user}?page=1")]
        })
        .chain([vec!["http://s.com/list?page=2&sort=a".to_owned()]])
        .collect();
    learned_of(&groups, method)
}

/// Topics: those with an even number have one page, the others one for each post.
fn topics() -> Learned {
    let url = |topic: usize, post: &str| format!("http://s.com/view?t={topic}{post}");
    let posts = ["", "&p=11", "&p=12", "&p=13"];
    let groups: Vec<_> = (100..200)
        .flat_map(|n| {
            let urls = posts.map(|post| url(n, post));
            if n % 2 == 0 { vec![urls.to_vec()] } else { urls.map(|url| vec![url]).to_vec() }
        })
        .collect();
    learned_of(&groups, "slots")
}

pub(super) fn learned_of(groups: &[Vec<String>], method: &str) -> Learned {
    let (pages, clusters) = crawl(groups);
    let method: Method = method.parse().expect("a method");
    let config = Config::default();
    method.learn(&TrainingSet::new(&pages, &clusters), &Training::new(&config)).expect("rules")
}

pub(super) fn saved(learned: &Learned) -> tempfile::TempDir {
    let models = tempfile::tempdir().expect("a folder");
    let site = ("s.com", SiteBy::Host);
    let settings = serde_json::to_value(Config::default()).expect("JSON");
    save(models.path(), site, settings, learned).expect("saving");
    models
}

#[test]
fn a_url_in_another_spelling_is_rewritten_all_the_same() {
    let tree = learned("tree");
    let models = saved(&tree);
    let registry = Registry::open(models.path()).expect("the model");
    let rule = tree.model.rewrite("http://s.com/users/7a/name7").cause.to_string();
    assert!(!rule.is_empty());
    for (url, form, how, cause) in [
        ("http://s.com/users/99a/name99", "http://s.com/users/99a", How::Rules, rule.clone()),
        (
            "HTTPS://WWW.S.com:443/users/99a/name99?utm_source=y#top",
            "http://s.com/users/99a?utm_source=y",
            How::Rules,
            format!(
                "normal form; scheme https → http; host www. → none; set aside: utm_source; \
                 {rule}"
            ),
        ),
        (
            "http://s.com/list?sort=b&page=3",
            "http://s.com/list?page=3&sort=b",
            How::NormalForm(Reason::NoRule),
            "order of arguments".into(),
        ),
        (
            "http://s.com/list?new=1",
            "http://s.com/list?new=1",
            How::Unchanged(Reason::NoRule),
            String::new(),
        ),
    ] {
        for translation in [tree.canonicalize(url), registry.canonicalize(url)] {
            assert_eq!((&*translation.canonical, translation.how), (form, how));
            assert_eq!(translation.cause.to_string(), cause);
        }
    }
}

#[test]
fn a_shape_tells_the_forms_of_urls_as_the_site_writes_them() {
    let Learned { model, conventions, .. } = learned("auto");
    let conventions = conventions.expect("conventions");
    let is_told = |url: &str| translate_by_shape(&conventions, &model, url).is_some();
    for url in ["/users/99a/name99", "/users/99a", "/users/99a/name%2F"] {
        assert!(is_told(&format!("http://s.com{url}")), "{url}");
    }
    for url in [
        "http://s.com/users/99a?new=1",
        "http://s.com/users/99a#b",
        "http://s.com/users/../users",
        "http://s.com/users/%61/name1",
        "https://s.com/users/99a",
        "http://t.com/users/99a",
        "HTTP://s.com/users/99a",
        "http://s.com",
        "users",
        "",
    ] {
        assert!(!is_told(url), "{url}");
    }
    let other = Arc::new(UrlConventions::default());
    assert!(translate_by_shape(&other, &model, "http://s.com/users/99a").is_none());
}

/// A `=` in a value is the padding of another, or no more than a letter: the first URL of a shape says nothing of
/// the next.
#[test]
fn what_was_asked_before_tells_nothing_of_values_with_an_equals_sign() {
    let page = |n: usize| {
        let name = char::from(b'a' + n as u8 % 26).to_string().repeat(2 + n / 26);
        let urls = [format!("http://s.com/p/{name}"), format!("http://s.com/p?title={name}")];
        let older = vec![format!("{}?x={n}", urls[0]), format!("{}&x={n}", urls[1])];
        [urls.to_vec(), older]
    };
    let learned = || learned_of(&(0..60).flat_map(page).collect::<Vec<_>>(), "auto");
    let [odd, plain] =
        ["title=foo&x=a=foo", "title=mno&x=a=b"].map(|query| format!("http://s.com/p?{query}"));
    let (warm, cold) = (learned(), learned());
    assert_eq!(warm.canonicalize(&plain).canonical, "http://s.com/p/mno?x=a=b");
    assert_eq!(warm.canonicalize(&odd).canonical, cold.canonicalize(&odd).canonical);
    assert_eq!(cold.canonicalize(&odd).canonical, odd);
}

#[test]
fn baselines_stay_plain() {
    let url = "HTTPS://WWW.s.com:443/list?sort=b&page=3&new=1#top";
    for method in ["keep-all", "token-identity"] {
        let baseline = learned(method);
        let models = saved(&baseline);
        let registry = Registry::open(models.path()).expect("the model");
        assert_eq!((baseline.canonical(url), registry.canonical(url)), (url.into(), url.into()));
        assert!(!models.path().join("s.com/conventions.json").exists());
    }
}

#[test]
fn damaged_conventions_are_refused() {
    let models = saved(&learned("tree"));
    let path = models.path().join("s.com/conventions.json");
    let json = std::fs::read_to_string(&path).expect("conventions");
    std::fs::write(&path, json.replace("sort", "tros")).expect("writing");
    let refusal = load(&models.path().join("s.com")).map(drop).expect_err("a broken model");
    assert!(refusal.to_string().contains("conventions.json"), "{refusal}");
}

fn editor(model: &Model) -> &Editor {
    let Model::Edits(editor) = model else { panic!("{model:?} has no edits") };
    editor
}

/// The answer for `url` if its shape determines it.
pub(super) fn translate_by_shape<'u>(
    conventions: &Arc<UrlConventions>,
    model: &Model,
    url: &'u str,
) -> Option<Translation<'u>> {
    editor(model).translate_by_shape(conventions, url)
}

/// The short way, by shape, finds what the long way finds.
pub(super) fn short_is_long(learned: &Learned, urls: &[String]) -> Result<(), TestCaseError> {
    let conventions = learned.conventions.as_ref().expect("conventions");
    let model = &learned.model;
    // Nothing is remembered of conventions that are not those of the first question.
    let others = Arc::new(UrlConventions::clone(conventions));
    for url in urls {
        let mut text = b"before".to_vec();
        let how = editor(model).write_by_shape(conventions, url, &mut text);
        let Some(short) = translate_by_shape(conventions, model, url) else {
            prop_assert_eq!((how, &*text), (None, &b"before"[..]));
            continue;
        };
        prop_assert_eq!(how, Some(short.how));
        prop_assert_eq!(&text[6..], short.canonical.as_bytes());
        let long = model.canonicalize(Some(&others), url);
        prop_assert_eq!(&short.canonical, &long.canonical);
        prop_assert_eq!((short.how, short.cause.to_string()), (long.how, long.cause.to_string()));
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_form_is_its_own_and_of_its_site(
        url in "(?i:https?://(www\\.)?s\\.com)(:80|:443|:81)?/(users/[1a]{1,3}/?(x|name1)?|list)?(\\?(page|sort|new|x)=[12]([&;](page|sort|new|x)=[12]|[&;]y){0,3})?(#!?a)?",
    ) {
        static MODELS: std::sync::LazyLock<tempfile::TempDir> =
            std::sync::LazyLock::new(|| saved(&learned("tree")));
        let registry = Registry::open(MODELS.path()).expect("the model");
        let form = registry.canonical(&url).into_owned();
        prop_assert_eq!(registry.canonical(&form), form.as_str());
        prop_assert_eq!(site_of(&form, SiteBy::Host), site_of(&url, SiteBy::Host));
    }

    /// The short way, by shape, finds what the long way finds.
    #[test]
    fn the_short_way_ends_where_the_long_one_does(
        urls in proptest::collection::vec(
            "http://(www\\.)?s\\.com/(users/[1-3%+&;.]{0,2}a/?(name[1-3])?|list|\\.\\./list)?(\\?(page|sort|x)(=[12%+?/.&;]{0,3}(2F|61)?)?(&(page|sort|x)=[12+]){0,2})?(#a)?",
            1..30,
        ),
    ) {
        static LEARNED: std::sync::LazyLock<Learned> =
            std::sync::LazyLock::new(|| learned("auto"));
        short_is_long(&LEARNED, &urls)?;
    }

    /// What is copied into a path may part it.
    #[test]
    fn the_short_way_copies_what_the_long_one_does(
        values in proptest::collection::vec("[ab1.\\\\+%é /?&;=-]{0,4}(&x=[ab]{0,2}(=[ab]{0,2})?)?", 1..30),
    ) {
        static LEARNED: std::sync::LazyLock<Learned> = std::sync::LazyLock::new(|| {
            let page = |n: usize| {
                let name = format!("{}b", char::from(b'a' + n as u8 % 26).to_string().repeat(1 + n / 26));
                vec![format!("http://s.com/p/{name}"), format!("http://s.com/p?title={name}")]
            };
            let older = |n: usize| {
                let urls = page(n);
                vec![format!("{}?x={n}", urls[0]), format!("{}&x={n}", urls[1])]
            };
            let groups = (0..60).flat_map(|n| [page(n), older(n)]);
            learned_of(&groups.collect::<Vec<_>>(), "auto")
        });
        let urls: Vec<String> =
            values.iter().map(|value| format!("http://s.com/p?title={value}")).collect();
        for (url, form) in [("p?title=zzzz", "p/zzzz"), ("p?title=zzzz&x=1", "p/zzzz?x=1")] {
            let (url, form) = (format!("http://s.com/{url}"), format!("http://s.com/{form}"));
            prop_assert_eq!(LEARNED.model.rewritten(&url), form);
        }
        short_is_long(&LEARNED, &urls)?;
    }

    /// What is left of a value may be delimited otherwise than the value.
    #[test]
    fn the_short_way_cuts_what_the_long_one_does(
        values in proptest::collection::vec(
            "20[0-9]{2}-[01][0-9]-[0-9]{2}T[0-9]{2}(%3A[0-9]{2}Z)?|[a1]{1,4}([-_.T][0-9a%+?]{1,4}){0,4}",
            1..30,
        ),
    ) {
        static LEARNED: std::sync::LazyLock<Learned> = std::sync::LazyLock::new(|| {
            let times = ["06%3A20", "13%3A40", "22%3A55"];
            let url = |day: usize, time: &str| {
                format!("http://s.com/t?from=2024-{}-{}T{time}Z", 10 + day % 3, 10 + day / 3)
            };
            let page = |day: usize| times.map(|time| url(day, time)).to_vec();
            learned_of(&(0..60).map(page).collect::<Vec<_>>(), "slots")
        });
        let form = LEARNED.model.rewritten("http://s.com/t?from=2025-10-11T01%3A02Z");
        prop_assert_eq!(form, "http://s.com/t?from=2025-10-11");
        let urls: Vec<String> =
            values.iter().map(|value| format!("http://s.com/t?from={value}")).collect();
        short_is_long(&LEARNED, &urls)?;
        for url in &urls {
            let form = LEARNED.model.rewritten(url);
            prop_assert_eq!(LEARNED.model.rewritten(&form), form.as_ref());
        }
    }

    /// The values of one shape are known or not.
    #[test]
    fn a_shape_tells_known_values_from_others(
        topics in proptest::collection::vec((95_usize..205, "-?", "(&p=[0-9]{1,3})?(&x=1)?"), 1..30),
    ) {
        static LEARNED: std::sync::LazyLock<Learned> = std::sync::LazyLock::new(self::topics);
        let url = |(n, rest, post): &(usize, String, String)| {
            format!("http://s.com/view?t={n}{rest}{post}")
        };
        let urls: Vec<String> = topics.iter().map(url).collect();
        short_is_long(&LEARNED, &urls)?;
        let conventions = LEARNED.conventions.as_ref().expect("conventions");
        for ((topic, rest, post), url) in topics.iter().zip(&urls) {
            let known = (100..200).contains(topic) && topic % 2 == 0 && rest.is_empty();
            if let Some(form) = translate_by_shape(conventions, &LEARNED.model, url) {
                let dropped = known && post.starts_with("&p") && !post.contains('x');
                prop_assert_eq!(form.canonical.contains("&p="), post.contains("&p") && !dropped, "{}", url);
            }
        }
    }

    /// What was asked before changes no answer.
    #[test]
    fn a_hot_answer_is_the_cold_one(
        urls in proptest::collection::vec(
            "http://(www\\.)?s\\.com/(users/[1-3]a/?(name[1-3])?|list)?(\\?(page|sort|x)=[12](&(page|sort|x)=[12]){0,2})?(#a)?",
            1..9,
        ),
    ) {
        static HOT: std::sync::LazyLock<(tempfile::TempDir, Registry)> =
            std::sync::LazyLock::new(|| {
                let models = saved(&learned("auto"));
                let registry = Registry::open(models.path()).expect("the model");
                (models, registry)
            });
        let (models, hot) = &*HOT;
        for url in &urls {
            let cold = Registry::open(models.path()).expect("the model");
            let (hot, cold) = (hot.canonicalize(url), cold.canonicalize(url));
            prop_assert_eq!(&hot.canonical, &cold.canonical);
            prop_assert_eq!((hot.how, hot.cause.to_string()), (cold.how, cold.cause.to_string()));
        }
    }
}
