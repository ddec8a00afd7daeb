//! What must hold of every network, trained or not, and what one learns on small sites.

use proptest::prelude::*;

use undust_decoder::translator::Translator;
use undust_learn::config::PaperConfig;
use undust_learn::{Config, TrainTranslator, TrainingSet};
use undust_model::translation::{How, Reason, Rewriter, Translation};
use undust_testing::crawl;

use super::quick;
use crate::BurnTrainer;

/// A site on which every case of the paper's Table 3 occurs: names after numbers that can
/// go, a long word and its short form, a constant page, and a number that only a database
/// knows.
fn table_3() -> Vec<Vec<String>> {
    let host = "http://www.example.com";
    let mut groups = Vec::new();
    for n in 0..60 {
        groups.push(vec![format!("{host}/users/{n}a/name-{n}"), format!("{host}/users/{n}a")]);
        groups.push(vec![
            format!("{host}/questions/{n}b/"),
            format!("{host}/questions/{n}b"),
            format!("{host}/q/{n}b"),
        ]);
        groups.push(vec![format!("{host}/questions/tagged/topic{n}")]);
        groups.push(vec![format!("{host}/t/{n}d.aspx")]);
        groups.extend((0..3).map(|m| vec![format!("{host}/q/{n}c{m}")]));
    }
    let everybodys = (0..60).map(|n| format!("{host}/private-message/set/member{n}"));
    groups.push(everybodys.chain([format!("{host}/private-message/set/anzer")]).collect());
    groups
}

fn trained(groups: &[Vec<String>], seq2seq_paper: PaperConfig) -> Translator {
    trained_with(groups, &Config { seq2seq_paper, ..Config::default() })
}

fn trained_with(groups: &[Vec<String>], config: &Config) -> Translator {
    let (pages, clusters) = crawl(groups);
    let set = TrainingSet::new(&pages, &clusters);
    BurnTrainer::default().train_paper(&set, config, &()).expect("training").expect("pairs").0
}

/// A network that knows the site.
static KNOWS: std::sync::LazyLock<Translator> = std::sync::LazyLock::new(|| {
    let net =
        PaperConfig { hidden: 64, embedding: 32, held_out: 0.0, learning_rate: 0.01, ..quick() };
    trained(&table_3(), net)
});

/// The same network that has seen no URL yet.
fn knows() -> Translator {
    without_memo(&KNOWS)
}

/// The same network, which remembers nothing.
fn without_memo(network: &Translator) -> Translator {
    let words = (network.vocabulary().clone(), network.tokenizer().to_vec());
    Translator::new(words, network.weights().clone(), network.options().clone())
}

fn untrained() -> Translator {
    let net = PaperConfig { hidden: 16, embedding: 8, max_steps: 1, ..quick() };
    trained(&table_3(), net)
}

#[test]
fn the_papers_table_3() {
    let translator = knows();
    let canonical = |path: &str| {
        let url = format!("http://www.example.com/{path}");
        let canonical = translator.rewrite(&url).canonical.into_owned();
        canonical.trim_start_matches("http://www.example.com/").to_owned()
    };
    assert_eq!(canonical("users/150781/rich"), "users/150781");
    assert_eq!(canonical("questions/132218/"), "q/132218");
    assert_eq!(canonical("questions/tagged/google"), "questions/tagged/google");
    assert_eq!(canonical("private-message/set/Yovav"), "private-message/set/anzer");
}

/// Row 5 of the table: that topic 98579 comes before 10135 is known to a database alone. The
/// paper's network made a page up; what it writes must at least be of what it read.
#[test]
fn what_only_a_database_knows_is_not_made_up() {
    let net = PaperConfig { hidden: 32, embedding: 16, ..quick() };
    let host = "http://www.example.com";
    let mut groups = table_3();
    groups.extend((0..60).map(|n| {
        let (number, before) = (10_000 + 7 * n, 98_000 - 11 * n);
        vec![format!("{host}/t/prev/{number}.aspx"), format!("{host}/t/{before}.aspx")]
    }));
    let (pages, clusters) = crawl(&groups);
    let config = Config { seq2seq_paper: net, ..Config::default() };
    let set = TrainingSet::new(&pages, &clusters);
    let learned = BurnTrainer::default().train_paper(&set, &config, &());
    let (translator, report) = learned.expect("training").expect("pairs");
    assert_eq!(report.pairs.unreachable, 60, "no pair of two numbers can be learned");
    assert_eq!(
        translator.rewritten("http://www.example.com/users/150781/rich"),
        "http://www.example.com/users/150781"
    );
    let known: Vec<&String> = groups.iter().flatten().collect();
    for number in [10_135, 10_000, 77_777] {
        let url = format!("{host}/t/prev/{number}.aspx");
        let form = translator.rewritten(&url).into_owned();
        let digits = |text: &str| {
            let runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() > 3);
            runs.map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(digits(&form).iter().all(|run| *run == number.to_string()), "{url} became {form}");
        assert!(!known.contains(&&form) || form == url, "{url} became another page, {form}");
    }
}

#[test]
fn the_same_answers_with_and_without_the_memo() {
    let urls: Vec<String> = table_3().into_iter().flatten().collect();
    let (warm, cold) = (untrained(), untrained());
    warm.prepare(&mut urls.iter().map(String::as_str));
    for url in &urls {
        assert_eq!(warm.rewrite(url).canonical, without_memo(&cold).rewrite(url).canonical);
    }
}

#[test]
fn a_template_is_decoded_once() {
    let translator = knows();
    let translate = |n: u32| {
        let url = format!("http://www.example.com/users/{n}x/y{n}");
        let Translation { canonical, how, cause } = translator.rewrite(&url);
        assert_eq!(canonical, format!("http://www.example.com/users/{n}x"));
        (how, cause.to_string())
    };
    let cause = "http: www.example.com users arg1 arg2 → http: www.example.com users arg1";
    assert_eq!(translate(1), (How::Network, cause.to_owned()));
    assert_eq!(translate(2), (How::Cache, cause.to_owned()));
    assert_eq!(translate(1), (How::Cache, cause.to_owned()));
}

#[test]
fn what_stays_has_no_cause() {
    let translation = KNOWS.rewrite("http://www.example.com/q/7b");
    assert_eq!(translation.canonical, "http://www.example.com/q/7b");
    assert!(translation.cause.is_empty());
}

#[test]
fn long_urls_come_back_as_they_came() {
    let translator = untrained();
    let long = format!("http://www.example.com{}", "/a".repeat(50_000));
    let translation = translator.rewrite(&long);
    assert_eq!(translation.canonical, long);
    assert_eq!(translation.how, How::Unchanged(Reason::TooLong));
    let many: String = (0..33).map(|n| format!("/{n}")).collect();
    let many = format!("http://www.example.com{many}");
    assert_eq!(translator.rewrite(&many).how, How::Unchanged(Reason::TooManyArguments));
}

#[test]
fn training_is_repeatable_with_any_number_of_threads() {
    let net = || PaperConfig { hidden: 24, embedding: 8, max_steps: 40, ..quick() };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| trained(&table_3(), net()).weights().to_bytes().expect("bytes"))
    };
    let (one, two) = (on(1), on(2));
    assert!(one == two);
    let other = Config { seed: 18, seq2seq_paper: net(), ..Config::default() };
    let other = trained_with(&table_3(), &other).weights().to_bytes().expect("bytes");
    assert!(one != other);
}

#[test]
fn a_training_interrupted_at_once_leaves_no_model() {
    struct AtOnce;
    impl undust_learn::observer::Observer for AtOnce {
        fn interrupted(&self) -> bool {
            true
        }
    }
    let (pages, clusters) = crawl(&table_3());
    let set = TrainingSet::new(&pages, &clusters);
    let error = BurnTrainer::default()
        .train_paper(&set, &Config::default(), &AtOnce)
        .expect_err("nothing yet");
    assert!(error.to_string().contains("interrupted before"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn translating_is_total_and_idempotent(path in "[a-z0-9/?=&.;#]{0,40}", any in "\\PC{0,40}") {
        let translator = &*UNTRAINED;
        for url in [format!("http://www.example.com/{path}"), format!("http://www.example.com/users/{path}"), any] {
            let once = translator.rewrite(&url).canonical.into_owned();
            let twice = translator.rewrite(&once).canonical.into_owned();
            prop_assert_eq!(once, twice);
        }
    }
}

static UNTRAINED: std::sync::LazyLock<Translator> = std::sync::LazyLock::new(untrained);

#[test]
fn hosts_that_training_never_saw_are_kept_or_left_alone() {
    let net = PaperConfig { hidden: 32, embedding: 16, max_steps: 200, ..quick() };
    let translator = trained(&table_3(), net);
    for origin in
        ["https://www.example.com", "http://www.example.com:8080", "HTTP://WWW.EXAMPLE.COM"]
    {
        for path in ["/users/7a/name-7", "/questions/7b/", "/private-message/set/x", "/"] {
            let url = format!("{origin}{path}");
            let canonical = translator.rewrite(&url).canonical.into_owned();
            let scheme_or_host =
                origin.split("://").filter(|part| !"http://www.example.com".contains(part));
            for unknown in scheme_or_host {
                assert_eq!(canonical.matches(unknown).count(), 1, "{url} became {canonical}");
            }
        }
    }
}
