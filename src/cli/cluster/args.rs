//! The arguments of `undust cluster`.

use std::path::PathBuf;

use undust_learn::config::Config;
use undust_util::error::Result;

use crate::cli::arguments::layers_over;
use crate::cli::reading::Reading;

/// Find the URLs that show the same page.
///
/// Writes one duplicate cluster per line, as JSON:
/// {"cluster":0,"size":2,"urls":["http://…","http://…"]}. Clusters are sorted by their first URL in
/// the crawl. A summary goes to standard error.
///
/// With --state a folder keeps the clusters between crawls. The crawls are added to it as one batch,
/// and "cluster" is an id that never changes.
#[derive(Debug, clap::Args)]
#[allow(rustdoc::invalid_html_tags, reason = "a text for --help, not HTML")]
pub(crate) struct ClusterArgs {
    /// Crawls: manifests (.jsonl), archives, indexes, feeds; several are read as one crawl
    #[arg(value_name = "CRAWL", required_unless_present_any = ["state", "marked"])]
    pub(super) inputs: Vec<PathBuf>,

    /// Settings file (see train.toml), of which [clusters] and [canonical] are used; a state keeps those
    /// that it was made with
    #[arg(long, value_name = "FILE", env = "UNDUST_CONFIG")]
    pub(super) config: Option<PathBuf>,

    /// Leave out clusters with fewer URLs; 1 writes every URL of a page
    #[arg(long, value_name = "URLS", default_value_t = 2)]
    pub(super) min_size: usize,

    /// Output file, compressed if the name ends in .gz or .zst; `-` is standard output. The file
    /// appears only when it is complete
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(super) output: PathBuf,

    /// Write a random sample of pairs of URLs that share a cluster instead, for a check by eye
    ///
    /// Columns: an empty mark, two URLs, the title. Write right or wrong into the first column of each
    /// line, and give the file to --marked. The first URL of a pair is drawn from all URLs with
    /// duplicates, so that a large cluster counts as its URLs do.
    #[arg(long, value_name = "PAIRS", conflicts_with_all = ["state", "min_size", "marked"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) sample: Option<u32>,

    /// Seed of the sample; overrides the setting `seed`
    #[arg(long, value_name = "NUMBER", requires = "sample")]
    pub(super) seed: Option<u64>,

    /// Count the pairs marked right and wrong in a file of --sample, and print the share that is wrong
    /// with its 95 % interval, as JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["inputs", "state", "min_size", "output"])]
    pub(super) marked: Option<PathBuf>,

    #[command(flatten)]
    pub(super) reading: Reading,

    #[command(flatten)]
    pub(super) live: LiveArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Live clusters")]
pub(super) struct LiveArgs {
    /// Folder that keeps the clusters between crawls; the first crawl makes it
    #[arg(long, value_name = "FOLDER")]
    pub state: Option<PathBuf>,

    /// Print the group of each URL, the group's canonical URL, and whether the URL still shows its
    /// page
    ///
    /// One JSON object per URL: {"url":…,"group":3,"size":2,"canonical":…,"verdict":"duplicate"}. The
    /// verdict is canonical, duplicate or differs. The group is null if the URL is not a known page. A
    /// group whose pages no longer agree is repaired.
    #[arg(long, value_name = "URL", num_args = 1.., requires = "state")]
    #[arg(conflicts_with_all = ["inputs", "min_size", "repair", "compact"])]
    pub query: Vec<String>,

    /// Split groups whose pages no longer agree
    #[arg(long, requires = "state")]
    pub repair: bool,

    /// Return unused space of the state to the file system
    #[arg(long, requires = "state")]
    pub compact: bool,
}

impl ClusterArgs {
    /// The settings: variables come before the file.
    pub(super) fn settings(&self) -> Result<Config> {
        layers_over(self.config.as_deref())?.config()
    }
}
