//! What the pointer network learns on small sites, and what must hold of it, trained or not.

use std::sync::LazyLock;

use proptest::prelude::*;

use undust_decoder::pointer::{PointerOptions, PointerTranslator, PointerWords};
use undust_learn::config::Seq2SeqConfig;
use undust_learn::{Config, TrainTranslator, TrainingSet};
use undust_model::translation::{How, Reason, Rewriter};
use undust_testing::crawl;

use crate::BurnTrainer;

pub(super) const HOST: &str = "http://www.example.com";

/// A site whose names after numbers can go, whose log-in page has many URLs, and which has an old
/// script that calls its pages by arguments in the other order.
pub(super) fn site() -> Vec<Vec<String>> {
    let mut groups = Vec::new();
    for n in 0..60 {
        groups.push(vec![format!("{HOST}/users/{n}a/name-{n}"), format!("{HOST}/users/{n}a")]);
        groups.push(vec![
            format!("{HOST}/old.php?p=topic{n}&a={}", 1000 + n),
            format!("{HOST}/{}/topic{n}", 1000 + n),
        ]);
        groups.push(vec![format!("{HOST}/list/{n}b?page=2")]);
    }
    groups.push(
        (0..60)
            .map(|n| format!("{HOST}/private/set/member{n}"))
            .chain([format!("{HOST}/login")])
            .collect(),
    );
    groups
}

fn trained(max_steps: usize) -> PointerTranslator {
    let seq2seq = Seq2SeqConfig { max_steps, ..Seq2SeqConfig::default() };
    let config = Config { seq2seq, ..Config::default() };
    let (pages, clusters) = crawl(&site());
    let set = TrainingSet::new(&pages, &clusters);
    BurnTrainer::default().train(&set, &config, &()).expect("training").expect("pairs").0
}

/// A network that knows the site.
pub(super) static KNOWS: LazyLock<PointerTranslator> = LazyLock::new(|| trained(400));

/// The same network, which remembers nothing, used otherwise.
fn with(change: impl Fn(&mut PointerOptions)) -> PointerTranslator {
    let mut options = KNOWS.options();
    change(&mut options);
    let words = PointerWords {
        lexicon: KNOWS.lexicon().clone(),
        phrases: KNOWS.phrases().to_vec(),
        shapes: KNOWS.shapes().to_vec(),
    };
    PointerTranslator::new(words, KNOWS.weights().clone(), options)
}

fn form(translator: &PointerTranslator, path: &str) -> String {
    let form = translator.rewrite(&format!("{HOST}/{path}")).canonical.into_owned();
    form.trim_start_matches(HOST).trim_start_matches('/').to_owned()
}

#[test]
fn it_drops_inserts_and_moves_what_it_copies() {
    let knows = with(|_| {});
    assert_eq!(form(&knows, "users/77c/name-999"), "users/77c");
    assert_eq!(form(&knows, "private/set/yovav"), "login");
    assert_eq!(form(&knows, "old.php?p=greetings&a=7777"), "7777/greetings");
    assert_eq!(form(&knows, "list/77c?page=2"), "list/77c?page=2");
}

#[test]
fn a_shape_is_decoded_once_and_its_answer_has_a_probability() {
    let knows = with(|_| {});
    let url = format!("{HOST}/users/77c/name-999");
    assert!(knows.canonicalize_known(&url).is_none());
    let first = knows.rewrite(&url);
    assert_eq!(first.how, How::Network);
    let probability = first.cause.steps().next().and_then(|step| step.probability());
    assert!(probability.is_some_and(|given| (0.5..=1.0).contains(&given)), "{probability:?}");
    assert!(first.cause.is_trusted(0.5) && !first.cause.is_trusted(1.01));
    assert_eq!(knows.rewrite(&url).how, How::Cache);
    assert!(knows.canonicalize_known(&url).is_some());
}

#[test]
fn an_answer_that_is_not_sure_enough_is_not_given() {
    let cautious = with(|options| options.min_probability = 1.01);
    let answer = cautious.rewrite("http://www.example.com/users/77c/name-999");
    assert_eq!(answer.how, How::Unchanged(Reason::TooLittleConfidence));
    assert_eq!(answer.canonical, "http://www.example.com/users/77c/name-999");
}

#[test]
fn urls_of_unseen_shapes_stay_where_the_settings_keep_them() {
    let keeps = with(|options| options.keeps_unseen = true);
    assert_eq!(form(&keeps, "users/77c/name-99"), "users/77c");
    let unseen = format!("{HOST}/users/77c/name-999");
    assert_eq!(keeps.rewrite(&unseen).how, How::Unchanged(Reason::UnseenTemplate));
    let known = |url: &str| KNOWS.knows_shape(url);
    assert_eq!(known(&unseen), Some(false));
    assert_eq!(known(&format!("{HOST}/users/77c/name-99")), Some(true));
}

#[test]
fn another_host_stays() {
    let knows = with(|_| {});
    let canonical =
        knows.rewrite("https://elsewhere.org/users/77c/name-999").canonical.into_owned();
    assert!(canonical.starts_with("https://elsewhere.org/"), "{canonical}");
}

/// One that was hardly trained writes whatever it likes, of what it read and its phrases.
static HARDLY: LazyLock<PointerTranslator> = LazyLock::new(|| trained(1));

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn whatever_it_reads_it_stays_on_the_host_and_settles(
        rest in "(users/|old\\.php|list|[a-z0-9]{1,6}|/|\\?|&|p=|a=){0,12}",
    ) {
        let url = format!("{HOST}/{rest}");
        for translator in [&*KNOWS, &*HARDLY] {
            let answer = translator.rewrite(&url);
            prop_assert!(answer.canonical.starts_with(HOST));
            let again = translator.rewrite(&answer.canonical);
            prop_assert_eq!(&again.canonical, &answer.canonical);
        }
    }

    #[test]
    fn a_shape_gets_the_same_answer_in_company(
        rests in prop::collection::vec("(users/|old\\.php\\?p=|/[a-z0-9]{1,6}|&a=[0-9]{1,5}){1,8}", 1..40),
    ) {
        let urls: Vec<String> = rests.iter().map(|rest| format!("{HOST}/{rest}")).collect();
        let (alone, together) = (with(|_| {}), with(|_| {}));
        together.prepare(&mut urls.iter().map(String::as_str));
        for url in &urls {
            prop_assert_eq!(alone.rewrite(url).canonical, together.rewrite(url).canonical);
        }
    }
}
