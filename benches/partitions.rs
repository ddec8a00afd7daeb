//! What partitions cost and lose: `UNDUST_CRAWLS=FOLDER cargo bench --bench partitions`, where the
//! folder has `wiki.warc.gz`. Other crawls can be named instead, as paths in `UNDUST_PARTITION`;
//! manifests need `undust ingest --lengths`. Nothing is timed.
//!
//! The tables are those of Figures 4 and 5 of Zhu et al. (WWW 2012): how evenly the work is
//! spread and what is sent, by dimensions and partitions; and what is lost, by slack.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use undust::{Loads, Page, Pages, PartitionOptions, Partitions, ReadOptions, WordLengths, slack};

const PARTITIONS: [u32; 6] = [2, 4, 8, 16, 32, 64];
const DIMENSIONS: [u32; 3] = [1, 2, 3];
const SLACKS: [f64; 4] = [1.0, 1.1, 1.2, 1.3];
/// Bits in which the fingerprints of near pages may differ.
const BITS: u32 = 3;

fn main() {
    for crawl in crawls() {
        let options = ReadOptions { lengths: true, ..ReadOptions::default() };
        match Pages::read(&[crawl.clone()], &options) {
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

fn measure(crawl: &Path, all: &[Page]) {
    let mut seen = HashSet::new();
    let pages: Vec<(&Page, WordLengths)> = all
        .iter()
        .filter(|page| seen.insert(page.end))
        .filter_map(|page| Some((page, *page.lengths.as_deref()?)))
        .collect();
    let lengths: Vec<WordLengths> = pages.iter().map(|(_, lengths)| *lengths).collect();
    let near = near_pairs(&pages);
    println!("\n{}: {} pages, {} near pairs", crawl.display(), pages.len(), near.len());
    strays(&lengths);
    println!(
        "\ndimensions partitions | received vary  comparisons vary | messages saved  comparisons \
         saved | near pairs lost"
    );
    for dimensions in DIMENSIONS {
        for partitions in PARTITIONS {
            let options = PartitionOptions { partitions, dimensions, ..Default::default() };
            row(&lengths, &near, &options);
        }
    }
    println!("\nnear pairs lost in 16 partitions, and messages saved, by slack");
    for dimensions in DIMENSIONS {
        for slack in SLACKS {
            let options =
                PartitionOptions { partitions: 16, dimensions, slack, ..Default::default() };
            let (partitions, loads) = spread(&lengths, &options);
            println!(
                "{dimensions} dimensions, slack {slack:.1}: {:.2} % lost, {:.1} % saved",
                100.0 * lost(&partitions, &lengths, &near),
                100.0 * loads.communication_saved(),
            );
        }
    }
}

/// Pairs under one title whose fingerprints are near, but not equal: what clusters are made of.
fn near_pairs(pages: &[(&Page, WordLengths)]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (b, (page, _)) in pages.iter().enumerate() {
        for (a, (other, _)) in pages[..b].iter().enumerate() {
            let Some((one, two)) = page.simhash.zip(other.simhash) else { continue };
            let is_near = (one.0 ^ two.0).count_ones() <= BITS;
            if is_near && page.title.is_some() && page.title == other.title {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

fn spread(lengths: &[WordLengths], options: &PartitionOptions) -> (Partitions, Loads) {
    let partitions = Partitions::new(lengths, options).expect("options within their ranges");
    let loads = Loads::of(&partitions, lengths, options.partitions);
    (partitions, loads)
}

/// The share of pairs of which neither page looks where the other lives.
fn lost(partitions: &Partitions, lengths: &[WordLengths], near: &[(usize, usize)]) -> f64 {
    let homes: Vec<u32> = lengths.iter().map(|page| partitions.home(page)).collect();
    let looks: Vec<Vec<u32>> = lengths.iter().map(|page| partitions.compared_with(page)).collect();
    let is_lost =
        |&&(a, b): &&(usize, usize)| !looks[a].contains(&homes[b]) && !looks[b].contains(&homes[a]);
    near.iter().filter(is_lost).count() as f64 / near.len().max(1) as f64
}

fn row(lengths: &[WordLengths], near: &[(usize, usize)], options: &PartitionOptions) {
    let (partitions, loads) = spread(lengths, options);
    println!(
        "{:10} {:10} | {:13.3} {:17.3} | {:12.1} % {:17.1} % | {:14.2} %",
        options.dimensions,
        options.partitions,
        loads.imbalance(),
        loads.imbalance_of_comparisons(),
        100.0 * loads.communication_saved(),
        100.0 * loads.comparisons_saved(),
        100.0 * lost(&partitions, lengths, near),
    );
}

/// δ of real pages, and the slack that it would ask for.
fn strays(lengths: &[WordLengths]) {
    for dimensions in DIMENSIONS {
        let options = PartitionOptions { dimensions, ..Default::default() };
        let (partitions, _) = spread(lengths, &options);
        let mut strays: Vec<f64> = lengths.iter().map(|page| partitions.stray(page)).collect();
        strays.sort_by(f64::total_cmp);
        let at = |share: f64| strays[((strays.len() - 1) as f64 * share) as usize];
        println!(
            "{dimensions} dimensions: stray (delta) of half of the pages up to {:.3}, of nine in \
             ten up to {:.3}; slack for these {:.2} and {:.2}",
            at(0.5),
            at(0.9),
            slack(at(0.5), 0.0),
            slack(at(0.9), 0.0),
        );
    }
}
