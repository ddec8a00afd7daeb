//! Clusters that live with the crawl: `cargo run --example live -- STATE CRAWL...`

use std::path::{Path, PathBuf};

use undust::crawl::{ReadOptions, read_all};
use undust::live::{LiveClusters, ResponseBatch, UrlVerdict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("which folder?")?;
    let crawls: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let mut state = LiveClusters::open_or_make(Path::new(&folder), |_| {})?;
    let mut batch = ResponseBatch::new();
    read_all(&crawls, &ReadOptions::default(), &mut |response| {
        batch.push(response);
        Ok(())
    })?;
    println!("{}", state.ingest(batch)?);
    for page in state.pages()?.pages.iter().take(10) {
        if let Some(answer) = state.query(&page.url)?.filter(|a| a.verdict == UrlVerdict::Duplicate)
        {
            println!("{} shows what {} shows", page.url, answer.canonical);
        }
    }
    Ok(())
}
