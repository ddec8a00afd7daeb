//! `undust train`: a model for every site of a crawl.

mod job;

use std::num::NonZero;
use std::path::PathBuf;

use self::job::{Job, summarize};
use super::listing::{self, Listed};
use super::progress::{Board, catch_interrupt, tell};
use crate::config::Config;
use crate::crawl::{Page, Pages, ReadOptions};
use crate::rules::dustbuster::Listing;
use crate::seq2seq::DeviceKind;
use crate::site::{SiteBy, pages_by_site};
use crate::{Error, Method, Result};

/// Learn a model for every site of a crawl.
///
/// Each site's model goes into a folder of its own, models/<site>/, which takes the place of
/// an older one at once. Ctrl-C ends the training in good order and keeps the best weights
/// so far.
#[derive(Debug, clap::Args)]
pub struct TrainArgs {
    /// Crawls: manifests (.jsonl), WARC files, access logs; several are read as one
    #[arg(value_name = "CRAWL", required = true)]
    inputs: Vec<PathBuf>,

    /// Settings as train.toml of the source lists them; those left out keep their defaults
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Which method learns
    #[arg(long, value_enum, default_value = "auto")]
    method: TrainMethod,

    /// Where models go
    #[arg(long, value_name = "FOLDER", default_value = "models")]
    models: PathBuf,

    /// Where networks are trained
    #[arg(long, value_enum, default_value = "cpu")]
    device: DeviceKind,

    /// What is one site: a host (with its www. twin) or a registrable domain
    #[arg(long, value_enum, default_value = "host")]
    site_by: SiteBy,

    /// Everything random follows from this number, instead of the settings' seed
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// Sites trained at once [default: one a processor]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,

    /// Host of access logs that name none, such as `www.example.org`
    #[arg(long)]
    host: Option<String>,

    /// Skip and count damaged lines instead of stopping at the first
    #[arg(long)]
    lenient: bool,
}

/// The methods that leave a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum TrainMethod {
    /// The best there is for the site; so far always the network
    Auto,
    /// The neural translator
    #[value(name = "seq2seq")]
    Seq2Seq,
    /// Rewrite rules
    Rewrite,
    /// Decision-tree rules with deep tokens
    Tree,
    /// DustBuster's substring rules
    Dustbuster,
    /// DUSTER's rules of aligned URLs
    Duster,
}

impl TrainMethod {
    fn method(self) -> Method {
        match self {
            Self::Auto | Self::Seq2Seq => Method::Seq2Seq,
            Self::Rewrite => Method::Rewrite,
            Self::Tree => Method::Tree,
            Self::Dustbuster => Method::Dustbuster,
            Self::Duster => Method::Duster,
        }
    }
}

/// Reads the crawl, then trains its sites side by side.
pub fn run(args: TrainArgs) -> Result<()> {
    let config = args.config()?;
    args.device.open()?;
    let sites = args.read()?;
    catch_interrupt();
    let outcomes = Job { args: &args, config: &config, board: Board::default() }.train_all(sites);
    summarize(&outcomes, &config)
}

/// What is known of a site.
enum Material {
    Pages(Vec<Page>),
    /// For DustBuster, which makes do without pages.
    Listing(Listing),
}

impl Material {
    fn urls(&self) -> usize {
        match self {
            Self::Pages(pages) => pages.len(),
            Self::Listing(listing) => listing.records().len(),
        }
    }
}

impl TrainArgs {
    /// The sites, and what the crawl says of each.
    fn read(&self) -> Result<Vec<(String, Material)>> {
        let options = ReadOptions {
            lenient: self.lenient,
            host: self.host.clone(),
            ..ReadOptions::default()
        };
        let listed = if self.method == TrainMethod::Dustbuster {
            listing::read(&self.inputs, &options, self.site_by)?
        } else {
            let (pages, report) = Pages::read(&self.inputs, &options)?;
            Listed { pages, report, listings: Vec::new() }
        };
        let Listed { pages: crawl, listings, report } = listed;
        tell(&report.to_string());
        if !listings.is_empty() {
            let material = |(site, listing)| (site, Material::Listing(listing));
            return Ok(listings.into_iter().map(material).collect());
        }
        if crawl.pages.is_empty() {
            let path = self.inputs.first().cloned().unwrap_or_default();
            let reason = format!("no page to learn from; left out: {}", crawl.left_out);
            return Err(Error::Crawl { path, reason });
        }
        let pages = crawl.pages.len();
        let sites = pages_by_site(crawl.pages, self.site_by);
        let homeless = pages - sites.iter().map(|(_, pages)| pages.len()).sum::<usize>();
        if homeless > 0 {
            tell(&format!("{homeless} pages are of no site: their URLs name no host"));
        }
        Ok(sites.into_iter().map(|(site, pages)| (site, Material::Pages(pages))).collect())
    }

    fn config(&self) -> Result<Config> {
        let mut config =
            self.config.as_deref().map_or_else(|| Ok(Config::default()), Config::read)?;
        config.seq2seq.seed = self.seed.unwrap_or(config.seq2seq.seed);
        Ok(config)
    }
}
