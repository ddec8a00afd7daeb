//! Scratch.
use std::io::BufRead;
use undust_export::*;
use undust_model::Registry;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let urls: Vec<String> = std::io::BufReader::new(std::fs::File::open(&args[2]).unwrap())
        .lines()
        .map(|l| l.unwrap())
        .collect();
    let registry = Registry::open(args[1].as_ref()).unwrap();
    let model = registry.model(&urls[0]).unwrap();
    let all = [
        ("nginx", Format::Nginx),
        ("heritrix", Format::Heritrix),
        ("dud", Format::Dud),
        ("clean-param", Format::CleanParam),
        ("names", Format::Names),
    ];
    for (name, format) in all {
        if args.len() > 3 && args[3] != name {
            continue;
        }
        let t = std::time::Instant::now();
        let e = export(&model, format, urls.clone()).unwrap();
        println!(
            "{name}: urls {} changed {} covered {} part {} edits {}/{} {:.1}s",
            e.coverage.urls,
            e.coverage.changed,
            e.coverage.covered,
            e.coverage.in_part,
            e.exported,
            e.edits,
            t.elapsed().as_secs_f64()
        );
        if args.len() > 3 {
            println!("{}", e.text);
            for l in &e.left_out {
                println!("  {} {}: {}", l.number, l.notation, l.why);
            }
            for (m, n) in &e.coverage.missing {
                println!("  missing {m:?} {n}");
            }
        }
    }
}
