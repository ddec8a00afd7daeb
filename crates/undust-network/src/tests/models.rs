//! A model folder must come back as it was, or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use undust_decoder::translator_weights::{TranslatorSizes, TranslatorWeights};
use undust_learn::config::{PaperConfig, Seq2SeqConfig};
use undust_learn::learned::{Learned, save};
use undust_learn::report::Report;
use undust_learn::{Config, Method, Training, TrainingSet};
use undust_model::folder::files::load;
use undust_model::model::Model;
use undust_model::registry::{Models, Registry};
use undust_model::translation::{Canonicalizer, How, Reason, Rewriter};
use undust_testing::crawl;
use undust_url::site::SiteBy;

use super::quick;
use crate::BurnTrainer;

// What model folders that are shared between machines call their files.
const MODEL: &str = "model.json";
const CONVENTIONS: &str = "conventions.json";
const RULES: &str = "rules.json";
const TOKENIZER: &str = "tokenizer.json";
const LEXICON: &str = "lexicon.json";
const WEIGHTS: &str = "weights.safetensors";

/// A site of users with a name that can be left out.
fn learned(method: Method, config: &Config) -> Learned {
    let groups: Vec<_> = (0..40)
        .map(|n| {
            vec![format!("http://s.com/users/{n}a/name{n}"), format!("http://s.com/users/{n}a")]
        })
        .collect();
    let (pages, clusters) = crawl(&groups);
    let set = TrainingSet::new(&pages, &clusters);
    let training = Training { config, translator: Some(&BurnTrainer::default()), observer: &() };
    method.learn(&set, &training).expect("training")
}

fn tiny(max_steps: usize) -> Config {
    let net = Seq2SeqConfig { hidden: 8, embedding: 4, max_steps, ..Seq2SeqConfig::default() };
    let paper = PaperConfig { hidden: 8, embedding: 4, max_steps, ..quick() };
    Config { seq2seq: net, seq2seq_paper: paper, ..Config::default() }
}

fn settings(config: &Config) -> serde_json::Value {
    serde_json::to_value(config).expect("JSON")
}

const SITE: (&str, SiteBy) = ("s.com", SiteBy::Host);

/// A tiny network, trained for at most `max_steps` steps, in a folder of its own.
fn saved(max_steps: usize) -> (tempfile::TempDir, PathBuf, Model) {
    saved_by(Method::Seq2SeqPaper, &tiny(max_steps))
}

fn saved_by(method: Method, config: &Config) -> (tempfile::TempDir, PathBuf, Model) {
    let learned = learned(method, config);
    let models = tempfile::tempdir().expect("a folder");
    save(models.path(), SITE, settings(config), &learned).expect("saving");
    let place = models.path().join("s.com");
    (models, place, learned.model)
}

fn refusal(place: &Path) -> String {
    load(place).map(|(info, ..)| info).expect_err("a broken model").to_string()
}

#[test]
fn a_model_comes_back_as_it_was() {
    for method in Method::all() {
        let (_models, place, model) = saved_by(method, &tiny(3));
        let (info, _, loaded) = load(&place).expect("the model");
        assert_eq!(info.method, method.name());
        assert_eq!(Report::of(&info).expect("a record").pages, 80);
        assert_eq!(loaded.operations().len(), model.operations().len(), "{method}");
        for url in ["http://s.com/users/7a/name7", "http://s.com/x?y", "", "http://s.com/"] {
            assert_eq!(loaded.rewritten(url), model.rewritten(url), "{method}");
        }
    }
}

#[test]
fn the_same_training_gives_the_same_bytes() {
    let ((_a, first, _), (_b, second, _)) = (saved(3), saved(3));
    for file in [MODEL, CONVENTIONS, TOKENIZER, WEIGHTS] {
        assert!(
            fs::read(first.join(file)).unwrap() == fs::read(second.join(file)).unwrap(),
            "{file}"
        );
    }
}

#[test]
fn the_same_pointer_network_gives_the_same_bytes() {
    let save = || saved_by(Method::Seq2Seq, &tiny(60));
    let ((_a, first, _), (_b, second, _)) = (save(), save());
    for file in [MODEL, LEXICON, WEIGHTS] {
        assert!(
            fs::read(first.join(file)).unwrap() == fs::read(second.join(file)).unwrap(),
            "{file}"
        );
    }
}

#[test]
fn a_damaged_pointer_network_is_named() {
    for file in [MODEL, LEXICON, WEIGHTS] {
        let (_models, place, _) = saved_by(Method::Seq2Seq, &tiny(3));
        let bytes = fs::read(place.join(file)).unwrap();
        fs::write(place.join(file), &bytes[..bytes.len() / 2]).unwrap();
        assert!(refusal(&place).contains(file));
        fs::remove_file(place.join(file)).unwrap();
        assert!(refusal(&place).contains(file));
    }
}

#[test]
fn a_pointer_network_of_other_sizes_is_refused() {
    for (field, described) in [
        ("vocabulary", LEXICON),
        ("phrases", LEXICON),
        ("embedding", "`embedding`"),
        ("hidden", "`forward.input`"),
    ] {
        let (_models, place, _) = saved_by(Method::Seq2Seq, &tiny(3));
        let text = fs::read_to_string(place.join(MODEL)).unwrap();
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        json["pointer"][field] = 77.into();
        fs::write(place.join(MODEL), json.to_string()).unwrap();
        assert!(refusal(&place).contains(described), "{field}");
        json["pointer"][field] = u64::MAX.into();
        fs::write(place.join(MODEL), json.to_string()).unwrap();
        assert!(refusal(&place).contains("impossible size"), "{field}");
    }
}

#[test]
fn a_missing_file_is_named() {
    for file in [MODEL, CONVENTIONS, TOKENIZER, WEIGHTS] {
        let (_models, place, _) = saved(3);
        fs::remove_file(place.join(file)).unwrap();
        assert!(refusal(&place).contains(file));
    }
}

#[test]
fn a_truncated_file_is_named() {
    for file in [MODEL, CONVENTIONS, TOKENIZER, WEIGHTS] {
        let (_models, place, _) = saved(3);
        let bytes = fs::read(place.join(file)).unwrap();
        fs::write(place.join(file), &bytes[..bytes.len() / 2]).unwrap();
        assert!(refusal(&place).contains(file));
    }
}

#[test]
fn another_format_is_refused() {
    let (_models, place, _) = saved(3);
    let json = fs::read_to_string(place.join(MODEL)).unwrap();
    fs::write(place.join(MODEL), json.replace("\"format\": 5", "\"format\": 9")).unwrap();
    assert!(refusal(&place).contains("has format 9, but this version of undust reads format 5"));
    fs::write(place.join(MODEL), "{}").unwrap();
    assert!(refusal(&place).contains("not a model of undust"));
}

#[test]
fn weights_of_another_shape_are_refused() {
    let (_models, place, model) = saved(3);
    let Model::Network(network) = &model else { panic!("a network") };
    let shape = TranslatorSizes { hidden: 9, ..network.weights().shape() };
    let bytes = network.weights().to_bytes().expect("bytes");
    let error = TranslatorWeights::from_bytes(&bytes, shape).expect_err("another shape");
    assert!(error.to_string().contains("encoder"), "{error}");
    let json = fs::read_to_string(place.join(MODEL)).unwrap();
    fs::write(place.join(MODEL), json.replace("\"vocabulary\": ", "\"vocabulary\": 1")).unwrap();
    assert!(refusal(&place).contains(TOKENIZER));
}

#[test]
fn impossible_sizes_are_refused() {
    for size in ["0", "18446744073709551615"] {
        let (_models, place, _) = saved(3);
        let json = fs::read_to_string(place.join(MODEL)).unwrap();
        let json = json.replacen("\"hidden\": 8", &format!("\"hidden\": {size}"), 1);
        fs::write(place.join(MODEL), json).unwrap();
        assert!(refusal(&place).contains("impossible size"), "{size}");
    }
}

#[test]
fn a_new_model_takes_the_old_ones_place_and_leaves_nothing_else() {
    let (models, place, _) = saved(3);
    // Of a model of rules, which was there before.
    fs::write(place.join("rules.json"), "x").unwrap();
    save(models.path(), SITE, settings(&tiny(3)), &learned(Method::Seq2SeqPaper, &tiny(3)))
        .expect("saving again");
    assert!(!place.join("rules.json").exists());
    assert_eq!(fs::read_dir(models.path()).unwrap().count(), 1);
}

#[test]
fn a_url_finds_the_model_of_its_host_and_stays_on_its_site() {
    let (models, _, _) = saved(3);
    let registry = Registry::open(models.path()).expect("a model");
    assert_eq!(registry.site("http://www.s.com/a").as_deref(), Ok("s.com"));
    assert_eq!(registry.site("http://t.com/a"), Err(Reason::NoModel));
    assert_eq!(registry.site("no url"), Err(Reason::NoUrl));
    assert_eq!(&*registry.model("http://s.com/").expect("loading").site, "s.com");
    assert_eq!(registry.model("http://t.com/").expect_err("none").reason, Reason::NoModel);
}

#[test]
fn a_model_by_host_answers_for_no_other_host() {
    let (models, _, _) = saved(3);
    let registry = Registry::open(models.path()).expect("a model");
    for url in ["http://blog.s.com/a", "http://s.com:8080/a"] {
        assert_eq!(registry.site(url), Err(Reason::NoModel), "{url}");
    }
}

#[test]
fn the_model_of_another_site_is_refused() {
    let (models, place, _) = saved(3);
    let other = models.path().join("t.com");
    fs::rename(place, &other).unwrap();
    assert!(refusal(&other).contains("is the model of s.com"));
}

#[test]
fn a_broken_model_is_one_error_until_its_folder_changes() {
    let (models, place, _) = saved(3);
    let whole = fs::read(place.join(WEIGHTS)).unwrap();
    fs::write(place.join(WEIGHTS), "x").unwrap();
    let registry = Registry::open(models.path()).expect("a folder with a model");
    let error = || registry.model("http://s.com/").expect_err("a broken model").error;
    let (first, second) = (error().expect("a reason"), error().expect("a reason"));
    assert!(std::sync::Arc::ptr_eq(&first, &second), "it was loaded twice");
    assert_eq!(registry.canonicalize("http://s.com/").how, How::Unchanged(Reason::BrokenModel));
    fs::write(place.join(WEIGHTS), whole).unwrap();
    seen_within_a_second(|| registry.model("http://s.com/").is_ok());
}

/// Waits for what the registry must see of itself.
fn seen_within_a_second(is_seen: impl Fn() -> bool) {
    let begin = std::time::Instant::now();
    while !is_seen() {
        assert!(begin.elapsed().as_secs_f64() < 1.0, "not seen within a second");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn a_folder_that_was_replaced_removed_or_added_is_seen() {
    let (models, place, _) = saved_by(Method::KeepAll, &tiny(3));
    let registry = Registry::open(models.path()).expect("a model");
    let url = "http://s.com/users/7a/name7";
    assert_eq!(registry.canonical(url), url);
    let rules = learned("tree".parse().expect("a method"), &tiny(3));
    save(models.path(), SITE, settings(&tiny(3)), &rules).expect("saving");
    seen_within_a_second(|| registry.canonical(url) == "http://s.com/users/7a");
    let rules_json = fs::read_to_string(place.join(RULES)).unwrap();
    let emptied: serde_json::Value = serde_json::json!({"method": "tree", "rules": []});
    fs::write(place.join(RULES), emptied.to_string()).unwrap();
    seen_within_a_second(|| registry.canonical(url) == url);
    fs::write(place.join(RULES), rules_json).unwrap();
    seen_within_a_second(|| registry.canonical(url) == "http://s.com/users/7a");
    fs::rename(&place, models.path().join(".away")).unwrap();
    seen_within_a_second(|| registry.canonicalize(url).how == How::Unchanged(Reason::NoModel));
    fs::rename(models.path().join(".away"), &place).unwrap();
    seen_within_a_second(|| registry.canonical(url) == "http://s.com/users/7a");
}

#[test]
fn a_url_too_long_for_any_server_is_not_looked_up() {
    let (models, _, _) = saved(3);
    let registry = Registry::open(models.path()).expect("a model");
    let long = format!("http://s.com/{}", "a".repeat(40_000));
    assert_eq!(registry.canonicalize(&long).how, How::Unchanged(Reason::TooLong));
    assert_eq!(registry.site(&long), Err(Reason::TooLong));
}

/// One translator, eight threads: nobody waits for ever, and all get the same answers.
#[test]
fn eight_threads_ask_one_model() {
    let (models, ..) = saved(30);
    let registry = Registry::open(models.path()).expect("a model");
    let urls: Vec<String> = (0..200)
        .map(|n| match n % 4 {
            0 => format!("http://s.com/users/{n}a/name{n}"),
            1 => format!("http://s.com/users/{n}a"),
            2 => format!("http://s.com/{}", "x/".repeat(n % 30)),
            _ => format!("http://s.com/users/{n}?a={n}&b=c"),
        })
        .collect();
    let alone = Registry::open(models.path()).expect("a model");
    let expected: Vec<_> = urls.iter().map(|url| alone.canonical(url)).collect();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (registry, urls, expected) = (&registry, &urls, &expected);
            scope.spawn(move || {
                for at in (0..urls.len()).map(|at| (at * 7 + thread * 25) % urls.len()) {
                    assert_eq!(registry.canonical(&urls[at]), expected[at]);
                }
            });
        }
    });
}

#[test]
fn a_renamed_setting_makes_no_model_unreadable() {
    let (_models, place, _) = saved(3);
    let json = fs::read_to_string(place.join(MODEL)).unwrap();
    let renamed = json.replace("\"fan_out\"", "\"of_another_version\"");
    assert_ne!(json, renamed);
    fs::write(place.join(MODEL), renamed).unwrap();
    load(&place).map(drop).expect("the model");
    let mut info: serde_json::Value = serde_json::from_str(&json).unwrap();
    info["record"] = serde_json::Value::Null;
    fs::write(place.join(MODEL), info.to_string()).unwrap();
    let (info, ..) = load(&place).expect("the model");
    assert_eq!(Report::of(&info), None);
}

#[test]
fn an_empty_folder_of_models_is_an_error() {
    let empty = tempfile::tempdir().expect("a folder");
    assert!(Registry::open(empty.path()).is_err());
    assert!(Registry::open(&empty.path().join("none")).is_err());
}
