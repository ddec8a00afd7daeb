//! A model folder must come back as it was, or not at all.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::pairs::TrainingSet;
use crate::pairs::tests::crawl;
use crate::seq2seq::{DeviceKind, Weights, learn};

/// A tiny model in a folder of its own.
fn saved() -> (tempfile::TempDir, PathBuf, Trained) {
    let groups: Vec<_> = (0..40)
        .map(|n| {
            vec![format!("http://s.com/users/{n}a/name{n}"), format!("http://s.com/users/{n}a")]
        })
        .collect();
    let (pages, clusters) = crawl(&groups);
    let mut config = Config::default();
    config.seq2seq =
        crate::config::Seq2SeqConfig { hidden: 8, embedding: 4, max_steps: 3, ..config.seq2seq };
    let set = TrainingSet::new(&pages, &clusters);
    let trained = learn(&set, &config, DeviceKind::Cpu, &()).expect("training").expect("pairs");
    let models = tempfile::tempdir().expect("a folder");
    let facts = SiteFacts {
        site: "s.com",
        site_by: SiteBy::Host,
        pages: pages.len(),
        clusters: clusters.len(),
    };
    save(models.path(), facts, &config, Kept::Network(&trained)).expect("saving");
    let place = models.path().join("s.com");
    (models, place, trained)
}

fn refusal(place: &Path) -> String {
    load(place).expect_err("a broken model").to_string()
}

#[test]
fn a_model_comes_back_as_it_was() {
    let (_models, place, trained) = saved();
    let (info, served) = load(&place).expect("the model");
    assert_eq!(info.training.pages, 80);
    for url in ["http://s.com/users/7a/name7", "http://s.com/x?y", "", "http://s.com/"] {
        assert_eq!(served.translate(url).canonical, trained.translator.translate(url).canonical);
    }
}

#[test]
fn the_same_training_gives_the_same_bytes() {
    let ((_a, first, _), (_b, second, _)) = (saved(), saved());
    for file in [MODEL, TOKENIZER, WEIGHTS] {
        assert!(
            fs::read(first.join(file)).unwrap() == fs::read(second.join(file)).unwrap(),
            "{file}"
        );
    }
}

#[test]
fn a_missing_file_is_named() {
    for file in [MODEL, TOKENIZER, WEIGHTS] {
        let (_models, place, _) = saved();
        fs::remove_file(place.join(file)).unwrap();
        assert!(refusal(&place).contains(file));
    }
}

#[test]
fn a_truncated_file_is_named() {
    for file in [MODEL, TOKENIZER, WEIGHTS] {
        let (_models, place, _) = saved();
        let bytes = fs::read(place.join(file)).unwrap();
        fs::write(place.join(file), &bytes[..bytes.len() / 2]).unwrap();
        assert!(refusal(&place).contains(file));
    }
}

#[test]
fn another_format_is_refused() {
    let (_models, place, _) = saved();
    let json = fs::read_to_string(place.join(MODEL)).unwrap();
    fs::write(place.join(MODEL), json.replace("\"format\": 1", "\"format\": 9")).unwrap();
    assert!(refusal(&place).contains("format 9"));
    fs::write(place.join(MODEL), "{}").unwrap();
    assert!(refusal(&place).contains("no model of undust"));
}

#[test]
fn weights_of_another_shape_are_refused() {
    let (_models, place, trained) = saved();
    let shape = Shape { hidden: 9, ..trained.weights.shape() };
    let bytes = trained.weights.to_bytes().expect("bytes");
    let error = Weights::from_bytes(&bytes, shape).expect_err("another shape");
    assert!(error.contains("encoder"), "{error}");
    let json = fs::read_to_string(place.join(MODEL)).unwrap();
    fs::write(place.join(MODEL), json.replace("\"vocabulary\": ", "\"vocabulary\": 1")).unwrap();
    assert!(refusal(&place).contains(TOKENIZER));
}

#[test]
fn impossible_sizes_are_refused() {
    for size in ["0", "18446744073709551615"] {
        let (_models, place, _) = saved();
        let json = fs::read_to_string(place.join(MODEL)).unwrap();
        let json = json.replace("\"hidden\": 8\n", &format!("\"hidden\": {size}\n"));
        fs::write(place.join(MODEL), json).unwrap();
        assert!(refusal(&place).contains("impossible size"), "{size}");
    }
}

#[test]
fn a_new_model_takes_the_old_ones_place_and_leaves_nothing_else() {
    let (models, place, trained) = saved();
    fs::write(place.join("stale"), "x").unwrap();
    let info = info(&place).expect("the model");
    let facts = SiteFacts { site: "s.com", site_by: SiteBy::Host, pages: 1, clusters: 1 };
    save(models.path(), facts, &info.config, Kept::Network(&trained)).expect("saving again");
    assert!(!place.join("stale").exists());
    assert_eq!(fs::read_dir(models.path()).unwrap().count(), 1);
}

#[test]
fn a_url_finds_the_model_of_its_host_and_stays_on_its_site() {
    let (models, _, _) = saved();
    let mut registry = Registry::open(models.path()).expect("a model");
    assert_eq!(registry.site("http://www.s.com/a").as_deref(), Ok("s.com"));
    assert_eq!(registry.site("http://t.com/a"), Err(crate::Reason::NoModel));
    assert_eq!(registry.site("no url"), Err(crate::Reason::NoUrl));
    assert!(registry.model("s.com").expect("loading").is_some());
    assert!(registry.model("t.com").expect("none").is_none());
}

#[test]
fn a_model_by_host_answers_for_no_other_host() {
    let (models, _, _) = saved();
    let registry = Registry::open(models.path()).expect("a model");
    for url in ["http://blog.s.com/a", "http://s.com:8080/a"] {
        assert_eq!(registry.site(url), Err(crate::Reason::NoModel), "{url}");
    }
}

#[test]
fn the_model_of_another_site_is_refused() {
    let (models, place, _) = saved();
    let other = models.path().join("t.com");
    fs::rename(place, &other).unwrap();
    assert!(refusal(&other).contains("is the model of s.com"));
}

#[test]
fn a_broken_model_is_an_error_once() {
    let (models, place, _) = saved();
    fs::write(place.join(WEIGHTS), "x").unwrap();
    let mut registry = Registry::open(models.path()).expect("a folder with a model");
    assert!(registry.model("s.com").is_err());
    assert!(registry.model("s.com").expect("known by now").is_none());
}

#[test]
fn an_empty_folder_of_models_is_an_error() {
    let empty = tempfile::tempdir().expect("a folder");
    assert!(Registry::open(empty.path()).is_err());
    assert!(Registry::open(&empty.path().join("none")).is_err());
}
