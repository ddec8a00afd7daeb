//! What partitions cost and lose: `UNDUST_CRAWLS=FOLDER cargo bench --bench partitions`, where the
//! folder has `wiki.warc.gz`. `UNDUST_PARTITION` names other gzip WARC files instead. Nothing is
//! timed.
//!
//! The tables are those of Figures 4 and 5 of Zhu et al. (WWW 2012): how evenly the work is
//! spread and what is sent, by dimensions and partitions; and what is lost, by slack.

mod similar;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use undust_cluster::{Loads, PartitionOptions, Partitions, slack};
use undust_crawl::{ReadOptions, read_pages};
use undust_pages::{Page, WordLengths};

const PARTITIONS: [u32; 6] = [2, 4, 8, 16, 32, 64];
const DIMENSIONS: [u32; 3] = [1, 2, 3];
const SLACKS: [f64; 4] = [1.0, 1.1, 1.2, 1.3];
/// Bits in which the fingerprints of near pages may differ.
const BITS: u32 = 3;

fn main() {
    for crawl in crawls() {
        let options = ReadOptions { lengths: true, ..ReadOptions::default() };
        match read_pages(std::slice::from_ref(&crawl), &options) {
            Ok((read, _)) => measure(&crawl, &read.pages),
            Err(error) => println!("{error}"),
        }
    }
}

fn crawls() -> Vec<PathBuf> {
    match (std::env::var_os("UNDUST_PARTITION"), std::env::var_os("UNDUST_CRAWLS")) {
        (Some(paths), _) => std::env::split_paths(&paths).collect(),
        (None, Some(folder)) => vec![PathBuf::from(folder).join("wiki.warc.gz")],
        (None, None) => {
            println!("UNDUST_CRAWLS names no folder of crawls: nothing is measured");
            Vec::new()
        }
    }
}

/// Pages, and the pairs of them that should meet.
struct Sample {
    lengths: Vec<WordLengths>,
    /// By fingerprint: one title, 1 to 3 bits apart.
    near: Vec<(usize, usize)>,
    /// By shingles: Jaccard similarity of 0.9 or more, but not equal.
    similar: Vec<(usize, usize)>,
}

impl Sample {
    fn of(crawl: &Path, all: &[Page]) -> Sample {
        let mut seen = HashSet::new();
        let is_counted = |page: &&Page| page.lengths.is_some() && seen.insert(page.end);
        let pages: Vec<&Page> = all.iter().filter(is_counted).collect();
        let shingles = similar::shingles_of(crawl);
        let none = Vec::new();
        let sets: Vec<_> = pages.iter().map(|p| shingles.get(&*p.url).unwrap_or(&none)).collect();
        Sample {
            lengths: pages.iter().filter_map(|page| page.lengths.as_deref().copied()).collect(),
            near: near_pairs(&pages),
            similar: similar::similar_pairs(&sets, PartitionOptions::default().similarity),
        }
    }

    fn spread(&self, options: &PartitionOptions) -> (Partitions, Loads) {
        let partitions = Partitions::new(&self.lengths, options).expect("options in their ranges");
        let loads = Loads::of(&partitions, &self.lengths, options.partitions);
        (partitions, loads)
    }

    /// The share in percent of near pairs, and of similar ones, of which neither page looks
    /// where the other lives.
    fn lost(&self, partitions: &Partitions) -> [f64; 2] {
        let partitions_of: Vec<u32> =
            self.lengths.iter().map(|page| partitions.partition_of(page)).collect();
        let looks: Vec<_> =
            self.lengths.iter().map(|page| partitions.compared_with(page)).collect();
        let is_lost = |&&(a, b): &&(usize, usize)| {
            !looks[a].contains(&partitions_of[b]) && !looks[b].contains(&partitions_of[a])
        };
        [&self.near, &self.similar].map(|pairs| {
            100.0 * pairs.iter().filter(is_lost).count() as f64 / pairs.len().max(1) as f64
        })
    }
}

fn near_pairs(pages: &[&Page]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (b, page) in pages.iter().enumerate() {
        for (a, other) in pages[..b].iter().enumerate() {
            let Some((one, two)) = page.simhash.zip(other.simhash) else { continue };
            let is_near = (1..=BITS).contains(&(one.0 ^ two.0).count_ones());
            if is_near && page.title.is_some() && page.title == other.title {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

fn measure(crawl: &Path, all: &[Page]) {
    let sample = Sample::of(crawl, all);
    println!(
        "\n{}: {} pages, {} near pairs, {} similar pairs",
        crawl.display(),
        sample.lengths.len(),
        sample.near.len(),
        sample.similar.len()
    );
    strays(&sample);
    println!(
        "\ndimensions partitions | received vary  comparisons vary | messages saved  comparisons saved | near lost  similar lost"
    );
    for dimensions in DIMENSIONS {
        for partitions in PARTITIONS {
            row(&sample, &PartitionOptions { partitions, dimensions, ..Default::default() });
        }
    }
    println!("\nlost in 64 partitions, by slack");
    for dimensions in DIMENSIONS {
        for slack in SLACKS {
            let options =
                PartitionOptions { partitions: 64, dimensions, slack, ..Default::default() };
            let (partitions, loads) = sample.spread(&options);
            let [near, similar] = sample.lost(&partitions);
            println!(
                "{dimensions} dimensions, slack {slack:.1}: {near:.2} % of near pairs, \
                 {similar:.2} % of similar pairs; {:.1} % of messages saved",
                100.0 * loads.communication_saved(),
            );
        }
    }
}

fn row(sample: &Sample, options: &PartitionOptions) {
    let (partitions, loads) = sample.spread(options);
    let [near, similar] = sample.lost(&partitions);
    println!(
        "{:10} {:10} | {:13.3} {:17.3} | {:12.1} % {:17.1} % | {near:7.2} % {similar:11.2} %",
        options.dimensions,
        options.partitions,
        loads.imbalance(),
        loads.imbalance_of_comparisons(),
        100.0 * loads.communication_saved(),
        100.0 * loads.comparisons_saved(),
    );
}

/// δ of real pages, and the slack that it would ask for.
fn strays(sample: &Sample) {
    for dimensions in DIMENSIONS {
        let (partitions, _) = sample.spread(&PartitionOptions { dimensions, ..Default::default() });
        let mut strays: Vec<f64> = sample.lengths.iter().map(|p| partitions.stray(p)).collect();
        strays.sort_by(f64::total_cmp);
        let at = |share: f64| strays[((strays.len() - 1) as f64 * share) as usize];
        println!(
            "{dimensions} dimensions: half of the pages stray (delta) up to {:.3}, nine in ten up \
             to {:.3}; Expression 1 would ask for a slack of {:.2} and {:.2}",
            at(0.5),
            at(0.9),
            slack(at(0.5), 0.0),
            slack(at(0.9), 0.0),
        );
    }
}
