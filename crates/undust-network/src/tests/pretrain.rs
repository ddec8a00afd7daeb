//! A base network, from the crawls of many sites to the URLs of one that it never saw.

use undust_learn::config::{Config, Seq2SeqConfig};
use undust_learn::training::TrainingSet;
use undust_learn::translator::TrainTranslator;
use undust_model::folder::exchange;
use undust_model::registry::Registry;
use undust_model::site_model::SiteModel;
use undust_model::translation::{How, Rewriter};
use undust_testing::{crawl, saved_models};

use crate::BurnTrainer;
use crate::pretrain::WeightedSite;

fn config() -> Config {
    let base = Seq2SeqConfig {
        hidden: 24,
        embedding: 12,
        max_steps: 240,
        check_every: 120,
        ..Seq2SeqConfig::base()
    };
    Config { base, ..Config::default() }
}

/// Sites on which a session does not matter.
fn base() -> SiteModel {
    let crawls = ["a", "b", "c"].map(|host| {
        crawl(
            &(0..60)
                .map(|n| {
                    let url = format!("http://{host}.test/item/{}", 1000 + 7 * n);
                    let session = format!("{:032x}", u128::MAX / (n + 2));
                    vec![format!("{url}?session={session}"), url]
                })
                .collect::<Vec<_>>(),
        )
    });
    let sites = crawls.each_ref().map(|(pages, clusters)| WeightedSite {
        set: TrainingSet::new(pages, clusters),
        weight: 1.0,
    });
    let trained = BurnTrainer::default().pretrain(&sites, &config(), serde_json::Value::Null, &());
    trained.expect("a base network")
}

#[test]
fn a_site_that_was_never_seen_is_answered_and_nothing_leaves_its_host() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("base");
    base().save(&place).expect("a folder is written");
    let base = SiteModel::load_base(&place).expect("the same");
    let registry = Registry::with_base(&folder.path().join("none"), base);
    let url = "http://d.test/item/4711?session=0123456789abcdef0123456789abcdef";
    let answer = registry.canonicalize(url);
    assert_eq!((&*answer.canonical, answer.how), ("http://d.test/item/4711", How::BaseNetwork));
    let same = registry.canonicalize("http://d.test/item/4711");
    assert_eq!((&*same.canonical, same.how), ("http://d.test/item/4711", How::BaseNetwork));
    assert_eq!(registry.site(url).expect("the base network"), "base");
    assert!(registry.site("no url").is_err());
    registry.check().expect("nothing is broken");
    for url in ["http://d.test//evil.test/?session=00", "http://d.test/?u=//evil.test/1", url] {
        let answer = registry.canonicalize(url).canonical.into_owned();
        assert!(answer.starts_with("http://d.test/"), "{url} → {answer}");
        assert!(!answer["http://d.test".len()..].starts_with("//") || url.contains("test//"));
        assert_eq!(registry.canonicalize(&answer).canonical, answer);
    }
}

/// A site that has a model keeps it, and a site cannot take the name of the base network.
#[test]
fn a_base_network_stands_behind_the_models() {
    let models = saved_models();
    let alone = Registry::open(&models).expect("models");
    let with_base = Registry::with_base(&models, base());
    for site in alone.sites().expect("the sites") {
        let url = format!("http://{site}/topic/17?sid=1&x=2");
        assert_eq!(with_base.site(&url), alone.site(&url));
        assert_eq!(with_base.canonicalize(&url).canonical, alone.canonicalize(&url).canonical);
    }
    let folder = tempfile::tempdir().expect("a folder");
    base().save(folder.path().join("base")).expect("a folder is written");
    exchange::check_folder(folder.path()).expect("a folder of models");
    assert!(Registry::open(folder.path()).is_err(), "no site has a model there");
}

#[test]
fn what_is_no_base_network_is_refused() {
    let site = saved_models().join("e.test");
    let refused = SiteModel::load_base(&site).expect_err("the model of a site").to_string();
    assert!(refused.contains("is the model of e.test"), "{refused}");
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("base");
    base().save(&place).expect("a folder is written");
    let json = std::fs::read_to_string(place.join("model.json")).expect("model.json");
    for (text, changed, reason) in [
        ("\"format\": 4", "\"format\": 3", "format 3"),
        ("\"hidden\": 24", "\"hidden\": 23", "weights.safetensors"),
        ("\"min_probability\": 0.97", "\"min_probability\": -1", "between 0 and 1"),
    ] {
        assert!(json.contains(text), "{text}");
        std::fs::write(place.join("model.json"), json.replace(text, changed)).expect("written");
        let refused = SiteModel::load_base(&place).expect_err("no base network").to_string();
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn crawls_without_pairs_are_refused() {
    let (pages, clusters) =
        crawl(&(0..60).map(|n| vec![format!("http://d.test/{n}x")]).collect::<Vec<_>>());
    let alone = [WeightedSite { set: TrainingSet::new(&pages, &clusters), weight: 1.0 }];
    for sites in [&[][..], &alone] {
        let refused = BurnTrainer::default()
            .pretrain(sites, &config(), serde_json::Value::Null, &())
            .expect_err("nothing to learn from")
            .to_string();
        assert!(refused.contains("no pair of duplicate URLs"), "{refused}");
    }
}

/// After one small step of training it still answers as the base network does; from random weights it
/// does not.
#[test]
fn a_site_starts_from_the_base_network() {
    let (pages, clusters) = crawl(
        &(0..40)
            .map(|n| {
                vec![format!("http://d.test/part/{n}x"), format!("http://d.test/part/{n}x/all")]
            })
            .collect::<Vec<_>>(),
    );
    let set = TrainingSet::new(&pages, &clusters);
    let learned = |trainer: &BurnTrainer, hidden| {
        let seq2seq = Seq2SeqConfig {
            hidden,
            embedding: 12,
            max_steps: 1,
            learning_rate: 1e-5,
            ..Seq2SeqConfig::default()
        };
        let config = Config { seq2seq, ..Config::default() };
        trainer.train(&set, &config, &())
    };
    let form = |trainer: &BurnTrainer| {
        let (translator, _) = learned(trainer, 24).expect("training").expect("pairs");
        let url = "http://d.test/item/4711?session=0123456789abcdef0123456789abcdef";
        translator.rewrite(url).canonical.into_owned()
    };
    let started = BurnTrainer::default().starting_from(base());
    assert_eq!(form(&started), "http://d.test/item/4711");
    assert_ne!(form(&BurnTrainer::default()), "http://d.test/item/4711");
    let refused = learned(&started, 16).expect_err("another size").to_string();
    assert!(refused.contains("embeddings of 12 and 24 hidden units"), "{refused}");
}
