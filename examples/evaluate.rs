//! What each learner of rules would have saved and lost on a crawl:
//! `cargo run --release --example evaluate -- CRAWL`.

use std::path::PathBuf;

use undust::crawl::{ReadOptions, read_pages};
use undust::evaluate::{EvaluationOptions, Unit, evaluate};
use undust::learn::Training;
use undust::{Config, Method};

fn main() -> undust::Result<()> {
    let crawl = std::env::args_os().nth(1).map_or(PathBuf::from("-"), PathBuf::from);
    let (read, _) = read_pages(std::slice::from_ref(&crawl), &ReadOptions::default())?;
    let methods: Vec<Method> = Method::all().filter(|method| !method.is_network()).collect();
    let (unit, config) = (Unit::of_crawl(&crawl, read.pages), Config::default());
    let options = EvaluationOptions::default();
    for method in evaluate(unit, &methods, &Training::new(&config), &options)?.methods {
        let figures = method.figures().map(|figures| (figures.f1, figures.lost));
        println!("{}: F1 and clusters lost {figures:?}", method.name);
    }
    Ok(())
}
