//! Learns a model for every site of a crawl: `cargo run --release --example train -- CRAWL MODELS`.

use std::path::PathBuf;

use undust::{Config, Pages, ReadOptions, SiteBy, Training, sites_of, train_site};

fn main() -> undust::Result<()> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [crawl, models] = paths.as_slice() else { panic!("a crawl and a folder for models") };
    let (crawl, _) = read_pages(std::slice::from_ref(crawl), &ReadOptions::default())?;
    let config = Config::default();
    let training = Training::new(&config);
    for site in sites_of(crawl.pages, SiteBy::Host) {
        println!("{}: {:?}", site.name, train_site(&site, "tree".parse()?, &training, models)?);
    }
    Ok(())
}
