//! Learns a model for every site of a crawl: `cargo run --release --example train -- CRAWL MODELS`.

use std::path::PathBuf;

use undust::Config;
use undust::crawl::{ReadOptions, SiteBy, read_pages};
use undust::learn::{InPlace, Training, side_by_side, sites_of, train_site};

fn main() -> undust::Result<()> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [crawl, models] = paths.as_slice() else { panic!("a crawl and a folder for models") };
    let (crawl, _) = read_pages(std::slice::from_ref(crawl), &ReadOptions::default())?;
    let (method, config) = ("tree".parse()?, Config::default());
    let training = Training::new(&config);
    let trained = side_by_side(sites_of(crawl.pages, SiteBy::Host), None, |site| {
        (site.name.clone(), train_site(site, method, &training, models, InPlace::Replaced))
    });
    for (site, outcome) in trained {
        println!("{site}: {:?}", outcome?);
    }
    Ok(())
}
