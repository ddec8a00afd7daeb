//! The same small site learned on every device that the build has, and what a build says of
//! a device that it has not.

use undust::cluster::{ClusterOptions, cluster};
use undust::crawl::{PagesBuilder, Response};
#[cfg(feature = "ndarray")]
use undust::crawl::{ReadOptions, read_pages};
use undust::learn::config::Seq2SeqConfig;
use undust::learn::{BurnTrainer, DeviceKind, Training, TrainingSet};
use undust::{Config, Learned, Method};
use undust_model::translation::Rewriter;
#[cfg(feature = "ndarray")]
use undust_pages::page::Page;

/// Users with a name that can be left out, learned in a few steps.
fn learned(device: DeviceKind, max_steps: usize) -> undust::Result<Learned> {
    let mut pages = PagesBuilder::new();
    for n in 0..40 {
        let digest = Some(format!("{n:040x}"));
        for url in [format!("http://s.com/users/{n}a/name{n}"), format!("http://s.com/users/{n}a")]
        {
            pages.push(Response {
                url,
                status: 200,
                digest: digest.clone(),
                ..Response::default()
            });
        }
    }
    let pages = pages.finish().pages;
    let clusters = cluster(&pages, &ClusterOptions::default());
    let net = Seq2SeqConfig {
        hidden: 16,
        embedding: 8,
        batch: 8,
        max_steps,
        check_every: 10,
        learning_rate: 0.02,
        held_out: 0.0,
        ..Seq2SeqConfig::default()
    };
    let config = Config { seq2seq: net, ..Config::default() };
    let trainer = BurnTrainer::on(device);
    let training = Training { translator: Some(&trainer), ..Training::new(&config) };
    Method::Seq2Seq.learn(&TrainingSet::new(&pages, &clusters), &training)
}

/// The device must learn the site, and take the same first steps as the processor.
#[allow(dead_code, reason = "used where a second device is built in")]
fn learns_like_the_processor(device: DeviceKind) {
    let loss = |device| {
        let report = learned(device, 10).expect("training").report;
        let network = report.network.expect("the site has pairs");
        network.training.curve.first().map_or(f64::NAN, |check| check.loss)
    };
    let (here, there) = (loss(DeviceKind::Cpu), loss(device));
    assert!((here - there).abs() < 1e-3 * here, "loss {there} is not the processor's {here}");
    learns(device);
}

fn learns(device: DeviceKind) {
    let model = learned(device, 120).expect("training").model;
    let form = model.rewritten("http://s.com/users/99x/anybody");
    assert_eq!(form, "http://s.com/users/99x");
}

#[test]
fn the_processor_learns() {
    learns(DeviceKind::Cpu);
}

#[cfg(feature = "ndarray")]
#[test]
fn burn_ndarray_learns_like_the_processor() {
    learns_like_the_processor(DeviceKind::Ndarray);
}

/// Kernels of other kinds sum in other orders, as those of other processors do. The answers hardly depend
/// on it: at most one in a thousand URLs of a crawl may get another.
#[cfg(feature = "ndarray")]
#[test]
fn the_answers_hardly_depend_on_the_order_of_summation() {
    let crawl = crate::support::data("blog.jsonl.gz");
    let (crawl, _) = read_pages(&[crawl], &ReadOptions::default()).expect("a crawl");
    let clusters = cluster(&crawl.pages, &ClusterOptions::default());
    let seq2seq = Seq2SeqConfig { max_steps: 200, check_every: 200, ..Seq2SeqConfig::default() };
    let config = Config { seq2seq, ..Config::default() };
    let answers = |device| {
        let trainer = BurnTrainer::on(device);
        let training = Training { translator: Some(&trainer), ..Training::new(&config) };
        let learned = Method::Seq2Seq.learn(&TrainingSet::new(&crawl.pages, &clusters), &training);
        let model = learned.expect("training").model;
        let form = |page: &Page| model.rewritten(&page.url).into_owned();
        crawl.pages.iter().map(form).collect::<Vec<String>>()
    };
    let (one, other) = (answers(DeviceKind::Cpu), answers(DeviceKind::Ndarray));
    let changed = one.iter().zip(&crawl.pages).filter(|(form, page)| ***form != *page.url).count();
    let differ = one.iter().zip(&other).filter(|(one, other)| one != other).count();
    assert!(changed > one.len() / 4, "{changed} of {}", one.len());
    assert!(1000 * differ <= one.len(), "{differ} of {}", one.len());
}

#[cfg(feature = "gpu")]
#[test]
fn the_graphics_card_learns_like_the_processor() {
    learns_like_the_processor(DeviceKind::Gpu);
}

#[cfg(not(feature = "ndarray"))]
#[test]
fn a_build_without_ndarray_says_how_to_get_one() {
    let error = learned(DeviceKind::Ndarray, 1).expect_err("a device that is not built in");
    assert_eq!(error.remedy(), Some(undust::Remedy::Build("ndarray")));
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_build_without_gpu_says_how_to_get_one() {
    let error = learned(DeviceKind::Gpu, 1).expect_err("a device that is not built in");
    assert_eq!(error.remedy(), Some(undust::Remedy::Build("gpu")));
}
