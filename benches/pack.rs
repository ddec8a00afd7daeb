//! Packs of many models, and folders of them: `cargo bench --bench pack -- 10000 100000`.
//!
//! The models are those of one small real one, under other names of sites: 10 million take 23 GB of disk. They are
//! made below the folder that `UNDUST_BENCH_FOLDER` names, else a temporary one, and measured by a process of their
//! own. Folders are made of up to 100,000 models alone. Cold: the pages of the files are dropped first (Linux).

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use undust_model::pack::PackWriter;
use undust_model::registry::Registry;
use undust_model::translation::Canonicalizer;
use undust_url::site::SiteBy;

/// The real one.
const FROM: &str = "tests/formats/5/b.test";
const SITE: &str = "b.test";
/// Most models for which folders are made.
const MOST_FOLDERS: u64 = 100_000;
/// How long each measurement lasts.
const LASTS: Duration = Duration::from_secs(3);

fn site(number: u64) -> String {
    format!("site-{number}.test")
}

/// The files of the model of one site, and of any other.
struct Made {
    model: String,
    conventions: Vec<u8>,
    rules: Vec<u8>,
}

impl Made {
    fn read() -> Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(FROM);
        let short = |name: &str| {
            let bytes = fs::read(from.join(name)).expect("a file");
            let json: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
            json.to_string()
        };
        let conventions = fs::read(from.join("conventions.json")).expect("a file");
        Self { model: short("model.json"), conventions, rules: short("rules.json").into_bytes() }
    }

    fn files(&self, number: u64) -> [(&'static str, Vec<u8>); 3] {
        let (old, new) = (format!("\"site\":\"{SITE}\""), format!("\"site\":\"{}\"", site(number)));
        [
            ("model.json", self.model.replacen(&old, &new, 1).into_bytes()),
            ("conventions.json", self.conventions.clone()),
            ("rules.json", self.rules.clone()),
        ]
    }
}

fn make_pack(path: &Path, count: u64) {
    let made = Made::read();
    let mut writer = PackWriter::create(path).expect("a pack");
    for number in 0..count {
        writer.add(&site(number), Some(SiteBy::Host), &made.files(number)).expect("a model");
    }
    writer.finish().expect("a pack");
}

fn make_folders(path: &Path, count: u64) {
    let made = Made::read();
    for number in 0..count {
        let folder = path.join(site(number));
        fs::create_dir_all(&folder).expect("a folder");
        for (name, bytes) in made.files(number) {
            fs::write(folder.join(name), bytes).expect("a file");
        }
    }
}

/// Numbers below `count` in an order that nothing foresees.
fn random(seed: u64, count: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % count
    })
}

/// How many a second this number of threads does.
fn rate(threads: u64, round: u64, count: u64, ask: impl Fn(u64) + Sync) -> f64 {
    let begun = Instant::now();
    let done: u64 = std::thread::scope(|scope| {
        let work = |thread: u64| {
            let ask = &ask;
            scope.spawn(move || {
                let numbers = random(round * 64 + thread + 1, count);
                numbers.take_while(|_| begun.elapsed() < LASTS).map(ask).count() as u64
            })
        };
        let all: Vec<_> = (0..threads).map(work).collect();
        all.into_iter().map(|thread| thread.join().expect("a thread")).sum()
    });
    done as f64 / begun.elapsed().as_secs_f64()
}

/// Bytes of this process in memory that are its own, not a file's.
fn own_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

/// Drops what the system remembers of a file.
fn forget(path: &Path) {
    #[cfg(target_os = "linux")]
    if let Ok(file) = fs::File::open(path) {
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).ok();
    }
    #[cfg(not(target_os = "linux"))]
    let _ = path;
}

/// Median time of opening.
fn opening(path: &Path) -> Duration {
    let one = |_| {
        let begun = Instant::now();
        drop(Registry::open(path).expect("models"));
        begun.elapsed()
    };
    let mut times: Vec<Duration> = (0..101).map(one).collect();
    times.sort_unstable();
    times[50]
}

/// One line of the table.
fn measure(path: &Path, count: u64) {
    let before = own_memory();
    let opening = opening(path);
    // Models are dropped at once, so that each is loaded again.
    let registry = Registry::with_memory(path, 1).expect("models");
    let opened = own_memory().saturating_sub(before);
    let ask = |number: u64| {
        let url = format!("http://{}/story/7/print", site(number));
        let model = registry.model(&url).expect("a model");
        black_box(model.canonicalize(&url));
    };
    let mut cells = vec![format!("{:.0} µs", opening.as_secs_f64() * 1e6)];
    let few = count.min(100_000);
    if path.is_file() {
        forget(path);
        cells.push(format!("{:.0}", rate(1, 4, count, ask)));
    } else {
        cells.push("–".to_owned());
    }
    // This round reads what the next finds in memory, as far as it fits.
    rate(2, 5, few, ask);
    cells.push(format!("{:.0}", rate(1, 5, few, ask)));
    cells.push(format!("{:.0}", rate(2, 5, few, ask)));
    let after = own_memory().saturating_sub(before);
    cells.push(format!("{:.1} MB", opened as f64 / 1e6));
    cells.push(format!("{:.1} MB", after as f64 / 1e6));
    println!(" {} |", cells.join(" | "));
}

fn run_apart(path: &Path, count: u64) {
    // What was printed of the line comes before what the process prints.
    std::io::stdout().flush().expect("an output");
    let program = std::env::current_exe().expect("this program");
    let mut child = std::process::Command::new(program);
    let done = child.arg("measure").arg(path).arg(count.to_string()).status().expect("a process");
    assert!(done.success());
}

fn size(path: &Path) -> String {
    format!("{:.2} GB", fs::metadata(path).expect("a pack").len() as f64 / 1e9)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, path, count, ..] = &arguments[..]
        && first == "measure"
    {
        return measure(Path::new(path), count.parse().expect("a number"));
    }
    let counts: Vec<u64> = arguments.iter().filter_map(|word| word.parse().ok()).collect();
    let held = match std::env::var_os("UNDUST_BENCH_FOLDER") {
        Some(folder) => tempfile::tempdir_in(folder),
        None => tempfile::tempdir(),
    };
    let folder = held.expect("a folder");
    println!(
        "| models | kind | size | made in | opened in | loaded and asked/s cold, 1 thread | warm, 1 | 2 | memory opened | at the end |\n\
         |---|---|---|---|---|---|---|---|---|---|"
    );
    for count in if counts.is_empty() { vec![10_000] } else { counts } {
        let path: PathBuf = folder.path().join("models.undust");
        let begun = Instant::now();
        make_pack(&path, count);
        print!("| {count} | pack | {} | {:.1} s |", size(&path), begun.elapsed().as_secs_f64());
        run_apart(&path, count);
        fs::remove_file(&path).expect("a file");
        if count <= MOST_FOLDERS {
            let path = folder.path().join("models");
            let begun = Instant::now();
            make_folders(&path, count);
            print!("| {count} | folder | – | {:.1} s |", begun.elapsed().as_secs_f64());
            run_apart(&path, count);
            fs::remove_dir_all(&path).expect("a folder");
        }
    }
}
