//! URLs in, canonical URLs out: `cargo bench --bench translate`.
//!
//! `hot` is a queue whose shapes repeat, as queues do, on all cores and on one or two; `cold` decodes
//! shapes none of which was seen before; `tokens` and `shapes` are what every line costs before the cache
//! is asked.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use undust_cluster::{ClusterOptions, cluster};
use undust_crawl::{ReadOptions, read_pages};
use undust_decoder::pointer::PointerTranslator;
use undust_learn::config::{Config, Seq2SeqConfig};
use undust_learn::learned::{Learned, save};
use undust_learn::method::{Method, Training};
use undust_learn::training::TrainingSet;
use undust_model::model::Model;
use undust_model::queue::{Queue, QueueOptions};
use undust_model::registry::Registry;
use undust_model::translation::Canonicalizer;
use undust_network::{BurnTrainer, DeviceKind};
use undust_url::lexicon::Symbol;
use undust_url::site::SiteBy;
use undust_url::tokens::Delimiters;

const LINES: usize = 1_000_000;
const SHAPES: usize = 2000;

/// The crawl of a wiki, and a small network that knows some of it.
struct Wiki {
    urls: Vec<String>,
    config: Config,
    learned: Learned,
}

impl Wiki {
    fn learn() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wiki.jsonl.gz");
        let (crawl, _) = read_pages(&[path], &ReadOptions::default()).expect("the crawl");
        let clusters = cluster(&crawl.pages, &ClusterOptions::default());
        let network = Seq2SeqConfig { max_steps: 150, ..Seq2SeqConfig::default() };
        let config = Config { seq2seq: network, ..Config::default() };
        let set = TrainingSet::new(&crawl.pages, &clusters);
        let trainer = BurnTrainer::on(DeviceKind::Cpu);
        let training = Training { translator: Some(&trainer), ..Training::new(&config) };
        let learned = Method::Seq2Seq.learn(&set, &training).expect("training");
        let urls = crawl.pages.iter().map(|page| page.url.to_string()).collect();
        Self { urls, config, learned }
    }

    fn save(&self, models: &Path) {
        let site = ("wiki.example.test", SiteBy::Host);
        let settings = serde_json::to_value(&self.config).expect("settings");
        save(models, site, settings, &self.learned).expect("saving");
    }

    fn translator(&self) -> &PointerTranslator {
        match &self.learned.model {
            Model::Pointer(translator) => translator,
            other => panic!("a network, not {other:?}"),
        }
    }

    fn queue(&self) -> Vec<u8> {
        let lines = self.urls.iter().cycle().take(LINES);
        lines.flat_map(|url| [url.as_bytes(), b"\n"].concat()).collect()
    }

    /// Distinct shapes as long as the site's: its own, and as they do not suffice, the beginning of
    /// one with the end of another.
    fn shapes(&self) -> Vec<Vec<Symbol>> {
        let own = self.own_shapes();
        let mut all: BTreeSet<_> = own.iter().cloned().collect();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut any = |below| random.random_range(0..below);
        while all.len() < SHAPES {
            let (first, second) = (&own[any(own.len())], &own[any(own.len())]);
            let cut = any(first.len().min(second.len()));
            all.insert([&first[..cut], &second[cut..]].concat());
        }
        println!("{} shapes, {} of them the site's own", all.len(), own.len());
        all.into_iter().collect()
    }

    fn own_shapes(&self) -> Vec<Vec<Symbol>> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        let mut own = BTreeSet::new();
        for url in &self.urls {
            self.translator().lexicon().read(url, &mut shape, &mut texts);
            own.insert(shape.clone());
        }
        own.retain(|shape| shape.len() <= self.config.seq2seq.max_source);
        own.into_iter().collect()
    }
}

static WIKI: LazyLock<Wiki> = LazyLock::new(Wiki::learn);

fn hot(criterion: &mut Criterion) {
    let wiki = &*WIKI;
    let models = tempfile::tempdir().expect("a folder");
    wiki.save(models.path());
    let registry = Registry::open(models.path()).expect("the model");
    let lines = wiki.queue();
    let translate = |unique| {
        let mut nowhere = std::io::sink();
        let options = QueueOptions { unique, ..QueueOptions::default() };
        let mut queue = Queue::new(&registry, &mut nowhere, options);
        queue.feed(Path::new("-"), &mut lines.as_slice()).expect("translating");
        queue.finish().expect("translating")
    };
    println!("{}", translate(false));
    let mut group = criterion.benchmark_group("translate");
    group.sample_size(10).throughput(Throughput::Elements(LINES as u64));
    group.bench_function("hot", |bencher| bencher.iter(|| translate(false)));
    group.bench_function("hot, unique", |bencher| bencher.iter(|| translate(true)));
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        group.bench_function(BenchmarkId::new("hot, threads", threads), |bencher| {
            bencher.iter(|| pool.install(|| translate(false)))
        });
    }
    group.finish();
}

fn cold(criterion: &mut Criterion) {
    let wiki = &*WIKI;
    let shapes = wiki.shapes();
    let shapes: Vec<&[Symbol]> = shapes.iter().map(Vec::as_slice).collect();
    let pieces = shapes.iter().map(|shape| shape.len()).sum::<usize>();
    println!("{} pieces a shape", pieces.div_ceil(shapes.len()));
    let mut group = criterion.benchmark_group("translate");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    for company in [SHAPES, 128, 1] {
        let shapes = &shapes[..company];
        group.throughput(Throughput::Elements(company as u64));
        group.bench_function(BenchmarkId::new("cold, at once", company), |bencher| {
            bencher.iter(|| wiki.translator().decode(black_box(shapes)))
        });
    }
    group.finish();
}

/// What a URL costs by what several methods learned, on one thread: a queue's reading and writing
/// left out, the site's usage included.
fn methods(criterion: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wiki.jsonl.gz");
    let (crawl, _) = read_pages(&[path], &ReadOptions::default()).expect("the crawl");
    let clusters = cluster(&crawl.pages, &ClusterOptions::default());
    let set = TrainingSet::new(&crawl.pages, &clusters);
    let config = Config::default();
    let mut group = criterion.benchmark_group("translate");
    group.throughput(Throughput::Elements(crawl.pages.len() as u64));
    let trainer = BurnTrainer::default();
    let training = Training { translator: Some(&trainer), ..Training::new(&config) };
    for name in ["tree", "seq2seq", "slots", "auto"] {
        let method: Method = name.parse().expect("a method");
        let learned = method.learn(&set, &training).expect("training");
        group.bench_function(BenchmarkId::new("one by one", name), |bencher| {
            let changed = |url: &str| learned.canonicalize(black_box(url)).canonical != url;
            bencher.iter(|| crawl.pages.iter().filter(|page| changed(&page.url)).count())
        });
    }
    group.finish();
}

/// A registry asked URL by URL, as plug-ins ask it: each thread asks for all URLs.
fn registry(criterion: &mut Criterion) {
    let wiki = &*WIKI;
    let models = tempfile::tempdir().expect("a folder");
    wiki.save(models.path());
    let registry = Registry::open(models.path()).expect("the model");
    let changed = |url: &&String| registry.canonicalize(black_box(url)).canonical != url.as_str();
    let mut group = criterion.benchmark_group("translate");
    for threads in [1, 2] {
        group.throughput(Throughput::Elements(threads * wiki.urls.len() as u64));
        group.bench_function(BenchmarkId::new("registry, threads", threads), |bencher| {
            bencher.iter(|| {
                std::thread::scope(|scope| {
                    for _ in 0..threads {
                        scope.spawn(|| black_box(wiki.urls.iter().filter(changed).count()));
                    }
                });
            });
        });
    }
    group.finish();
}

fn tokens(criterion: &mut Criterion) {
    let wiki = &*WIKI;
    let mut group = criterion.benchmark_group("translate");
    group.throughput(Throughput::Elements(wiki.urls.len() as u64));
    group.bench_function("tokens", |bencher| {
        let count = |url: &String| Delimiters::default().tokens(url).count();
        bencher.iter(|| wiki.urls.iter().map(count).sum::<usize>())
    });
    group.bench_function("shapes", |bencher| {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        bencher.iter(|| {
            for url in &wiki.urls {
                wiki.translator().lexicon().read(black_box(url), &mut shape, &mut texts);
            }
        })
    });
    group.finish();
}

criterion_group!(benches, hot, cold, methods, registry, tokens);
criterion_main!(benches);
