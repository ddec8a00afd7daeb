//! Rules learned and applied: `cargo bench --bench rules`.
//!
//! `learn` is each learner on a real crawl of 10,000 to 1,000,000 URLs, the larger ones made
//! of it by renaming its arguments: what it takes must grow with the URLs and no faster.
//! `apply` is a queue through 1,000 rules on one core: it must not depend on their number.

use std::collections::HashSet;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use undust_cluster::{ClusterOptions, Clusters, cluster};
use undust_crawl::{ReadOptions, read_pages};
use undust_learn::config::Config;
use undust_learn::learners::{LEARNERS, Learner};
use undust_learn::training::TrainingSet;
use undust_model::translation::Rewriter;
use undust_pages::Page;
use undust_rules::set::RuleSet;
use undust_url::frequency::{DfMode, DocumentFrequencies, FunctionRule};
use undust_url::tokens::{Delimiters, Joiner, Role};

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Rules, and sections of the made-up site; each section needs a rule of its own.
const RULES: usize = 1000;

/// URLs of a queue.
const QUEUE: usize = 100_000;

fn wiki() -> Vec<Page> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wiki.jsonl.gz");
    read_pages(&[path], &ReadOptions::default()).expect("the crawl").0.pages
}

/// A crawl of `size` URLs with the duplicates of `pages`: each copy renames the arguments.
fn enlarged(pages: &[Page], size: usize) -> (Vec<Page>, Clusters) {
    let clusters = cluster(pages, &ClusterOptions::default());
    let urls = || pages.iter().map(|page| page.url.as_ref());
    let df = DocumentFrequencies::count(urls(), Delimiters::default(), DfMode::Typed);
    let rule = FunctionRule { threshold: 0.01, key_threshold: 0.001, mode: DfMode::Typed };
    let functions = df.functions(&rule).into_iter().filter(|(_, is_key)| !is_key);
    let function: HashSet<&str> = functions.map(|(text, _)| text).collect();
    let rename = |url: &str, copy: usize| {
        let mut joiner = Joiner::default();
        for token in Delimiters::default().tokens(url) {
            let is_argument = token.role == Role::Word && !function.contains(token.text);
            match copy {
                copy if copy > 0 && is_argument => {
                    joiner.push(&format!("{}x{copy}", token.text), false)
                }
                _ => joiner.push(token.text, token.role == Role::Delimiter),
            }
        }
        joiner.finish()
    };
    let mut large = Vec::with_capacity(size);
    for copy in 0.. {
        for (page, label) in pages.iter().zip(clusters.labels()) {
            let url = rename(&page.url, copy);
            if copy > 0 && *url == *page.url {
                continue;
            }
            if large.len() == size {
                let clusters = cluster(&large, &ClusterOptions::default());
                return (large, clusters);
            }
            let digest = Some((copy * clusters.len()) as u64 + u64::from(*label));
            let end = large.len() as u32;
            large.push(Page { url: url.into(), end, digest, ..Page::default() });
        }
    }
    unreachable!("there is always another copy")
}

fn learning(criterion: &mut Criterion) {
    let pages = wiki();
    let mut group = criterion.benchmark_group("learn");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(1));
    for size in SIZES {
        let (pages, clusters) = enlarged(&pages, size);
        let set = TrainingSet::new(&pages, &clusters);
        group.throughput(Throughput::Elements(size as u64));
        for learner in LEARNERS {
            let id = BenchmarkId::new(learner.name, size);
            group.bench_function(id, |bencher| {
                bencher.iter(|| learner.learn(&set, &Config::default(), &()).0.rules().len());
            });
        }
    }
}

/// Three letters of its own for each section.
fn name(section: usize) -> String {
    [section / 676, section / 26, section]
        .map(|n| char::from(b'a' + (n % 26) as u8))
        .iter()
        .collect()
}

/// A site of many sections, each of which calls its print view otherwise.
fn sections() -> Vec<Vec<String>> {
    let pages = |section: usize| {
        (0..12).map(move |page| {
            let name = name(section);
            let url = format!("http://x.test/{name}/{section}{page}");
            vec![format!("{url}/print{name}"), url]
        })
    };
    (0..RULES).flat_map(pages).collect()
}

fn thousand_rules(learner: &'static Learner) -> RuleSet {
    let mut pages = Vec::new();
    for (digest, group) in (0..).zip(sections()) {
        for url in group {
            let end = pages.len() as u32;
            pages.push(Page { url: url.into(), end, digest: Some(digest), ..Page::default() });
        }
    }
    let clusters = cluster(&pages, &ClusterOptions::default());
    let mut config = Config::default();
    config.rules.min_coverage = 1;
    config.dustbuster.min_known = 1;
    (config.duster.min_frequency, config.duster.validation) = (2, 0.0);
    learner.learn(&TrainingSet::new(&pages, &clusters), &config, &()).0
}

fn applying(criterion: &mut Criterion) {
    let queue: Vec<String> = sections()
        .into_iter()
        .flatten()
        .cycle()
        .enumerate()
        .map(|(at, url)| if at % 4 == 0 { format!("{url}?page={at}") } else { url })
        .take(QUEUE)
        .collect();
    let mut group = criterion.benchmark_group("apply");
    group.sample_size(20).throughput(Throughput::Elements(QUEUE as u64));
    for learner in LEARNERS {
        let rules = thousand_rules(learner);
        // Decision trees find one rule for all sections.
        let enough = learner.name == "tree" || rules.rules().len() > RULES * 9 / 10;
        assert!(enough, "{}: {} rules", learner.name, rules.rules().len());
        let id = BenchmarkId::new(learner.name, format!("{} rules", rules.rules().len()));
        group.bench_function(id, |bencher| {
            bencher.iter(|| {
                queue.iter().map(|url| rules.rewritten(black_box(url)).len()).sum::<usize>()
            });
        });
    }
}

criterion_group!(benches, applying, learning);
criterion_main!(benches);
