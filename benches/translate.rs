//! URLs in, canonical URLs out, on one core: `cargo bench --bench translate`.
//!
//! `hot` is a queue whose templates repeat, as queues do; `cold` decodes templates none of
//! which was seen before, with the paper's 512 units; `tokens` and `templates` are what
//! every line costs before the memo is asked.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use undust::cluster::{ClusterOptions, cluster};
use undust::config::{Config, Seq2SeqConfig};
use undust::crawl::{Pages, ReadOptions};
use undust::models::{Kept, Registry, SiteFacts, save};
use undust::pairs::TrainingSet;
use undust::seq2seq::{Decoder, DeviceKind, Limits, Network, Shape, Trained, Weights, learn};
use undust::site::SiteBy;
use undust::translate::{Format, Options, Queue};
use undust::url::{Delimiters, Reading, Symbol, Symbols};

const LINES: usize = 1_000_000;
const TEMPLATES: usize = 2000;
const HIDDEN: usize = 512;

/// The crawl of a wiki, and a small network that knows some of it.
struct Wiki {
    urls: Vec<String>,
    config: Config,
    clusters: usize,
    trained: Trained,
}

impl Wiki {
    fn learn() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wiki.jsonl.gz");
        let (crawl, _) = Pages::read(&[path], &ReadOptions::default()).expect("the crawl");
        let clusters = cluster(&crawl.pages, &ClusterOptions::default());
        let network = Seq2SeqConfig { max_steps: 150, ..Seq2SeqConfig::default() };
        let config = Config { seq2seq: network, ..Config::default() };
        let set = TrainingSet::new(&crawl.pages, &clusters);
        let trained = learn(&set, &config, DeviceKind::Cpu, &()).expect("training");
        Self {
            urls: crawl.pages.iter().map(|page| page.url.to_string()).collect(),
            config,
            clusters: clusters.len(),
            trained: trained.expect("pairs of duplicates"),
        }
    }

    fn save(&self, models: &Path) {
        let (pages, clusters) = (self.urls.len(), self.clusters);
        let site = "wiki.example.test";
        let facts = SiteFacts { site, site_by: SiteBy::Host, pages, clusters };
        save(models, facts, &self.config, Kept::Network(&self.trained)).expect("saving");
    }

    fn symbols(&self) -> &Symbols {
        self.trained.translator.symbols()
    }

    fn queue(&self) -> Vec<u8> {
        let lines = self.urls.iter().cycle().take(LINES);
        lines.flat_map(|url| [url.as_bytes(), b"\n"].concat()).collect()
    }

    /// Distinct templates as long as the site's: its own, and as they do not suffice, the
    /// beginning of one with the end of another.
    fn templates(&self) -> Vec<Vec<Symbol>> {
        let own = self.own_templates();
        let mut all: BTreeSet<_> = own.iter().cloned().collect();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut any = |below| random.random_range(0..below);
        while all.len() < TEMPLATES {
            let (first, second) = (&own[any(own.len())], &own[any(own.len())]);
            let cut = any(first.len().min(second.len()));
            all.insert([&first[..cut], &second[cut..]].concat());
        }
        println!("{} templates, {} of them the site's own", all.len(), own.len());
        all.into_iter().collect()
    }

    fn own_templates(&self) -> Vec<Vec<Symbol>> {
        let mut reading = Reading::default();
        let mut own = BTreeSet::new();
        for url in &self.urls {
            self.symbols().read(url, &mut reading);
            own.insert(reading.template.clone());
        }
        own.retain(|template| template.len() <= self.config.seq2seq.max_source);
        own.into_iter().collect()
    }
}

static WIKI: LazyLock<Wiki> = LazyLock::new(Wiki::learn);

fn hot(criterion: &mut Criterion) {
    let wiki = &*WIKI;
    let models = tempfile::tempdir().expect("a folder");
    wiki.save(models.path());
    let mut registry = Registry::open(models.path()).expect("the model");
    let lines = wiki.queue();
    let mut translate = |unique| {
        let mut nowhere = std::io::sink();
        let options = Options { format: Format::Text, unique };
        let mut queue = Queue::new(&mut registry, &mut nowhere, options);
        queue.feed(Path::new("-"), &mut lines.as_slice()).expect("translating");
        queue.finish().expect("translating")
    };
    println!("{}", translate(false));
    let mut group = criterion.benchmark_group("translate");
    group.sample_size(10).throughput(Throughput::Elements(LINES as u64));
    group.bench_function("hot", |bencher| bencher.iter(|| translate(false)));
    group.bench_function("hot, unique", |bencher| bencher.iter(|| translate(true)));
    group.finish();
}

/// A network that says anything but where to end costs what one that ends after `length`
/// symbols costs, if it is stopped there.
fn cold(criterion: &mut Criterion) {
    let wiki = &*WIKI;
    let templates = wiki.templates();
    let sources: Vec<&[Symbol]> = templates.iter().map(Vec::as_slice).collect();
    let length = sources.iter().map(|source| source.len()).sum::<usize>().div_ceil(sources.len());
    println!("{length} tokens a template");
    let decoder = decoder(wiki.symbols().len());
    let limits = Limits { max_target: length, mask_arguments: true };
    let mut group = criterion.benchmark_group("translate");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    for company in [TEMPLATES, 128, 1] {
        let sources = &sources[..company];
        group.throughput(Throughput::Elements(company as u64));
        group.bench_function(BenchmarkId::new("cold, at once", company), |bencher| {
            bencher.iter(|| decoder.decode(black_box(sources), limits))
        });
    }
    group.finish();
}

fn decoder(vocabulary: usize) -> Decoder {
    let shape = Shape { vocabulary, embedding: HIDDEN, hidden: HIDDEN };
    let device = DeviceKind::Cpu.open().expect("the processor");
    let network = Network::random(shape, &mut ChaCha8Rng::seed_from_u64(1), &device);
    Weights::of(&network).decoder()
}

fn tokens(criterion: &mut Criterion) {
    let wiki = &*WIKI;
    let mut group = criterion.benchmark_group("translate");
    group.throughput(Throughput::Elements(wiki.urls.len() as u64));
    group.bench_function("tokens", |bencher| {
        let count = |url: &String| Delimiters::default().tokens(url).count();
        bencher.iter(|| wiki.urls.iter().map(count).sum::<usize>())
    });
    group.bench_function("templates", |bencher| {
        let mut reading = Reading::default();
        bencher.iter(|| {
            for url in &wiki.urls {
                wiki.symbols().read(black_box(url), &mut reading);
            }
        })
    });
    group.finish();
}

criterion_group!(benches, hot, cold, tokens);
criterion_main!(benches);
