//! Arguments that several commands share, and how they become the library's types.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, RangedI64ValueParser, TypedValueParser};
use serde::Serialize;

use undust_crawl::{ReadOptions, read_sitemaps};
use undust_learn::config::layers::{Layers, Origin};
use undust_learn::config::{Config, LabelConfig};
use undust_learn::error::ConfigReason;
use undust_learn::evaluate::units::UnitBy;
use undust_learn::method::Method;
use undust_learn::training::hold_out::HoldOut;
use undust_model::queue::QueueFormat;
use undust_model::registry::Registry;
use undust_url::site::{SiteBy, names_a_server};
use undust_util::{Error, Result, counted};

use super::progress::info;
use super::standard::{check_inputs, print_line};
use super::table::json;

/// Parses the name of a method.
pub(super) fn any_method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::all().map(value)).try_map(|name| name.parse::<Method>())
}

/// Parses the name of a method that makes a model.
pub(super) fn trained_method() -> impl TypedValueParser<Value = Method> {
    let leaves_a_model = |method: &Method| !method.is_baseline() && *method != Method::Seq2SeqPaper;
    PossibleValuesParser::new(Method::all().filter(leaves_a_model).map(value))
        .try_map(|name| name.parse::<Method>())
}

/// The values of an argument, each with its name and the help on it.
pub(super) type Values<T> = &'static [(&'static str, T, &'static str)];

/// Parses the name of one of these values.
pub(super) fn one_of<T: Copy + Send + Sync>(values: Values<T>) -> impl TypedValueParser<Value = T> {
    let described = values.iter().map(|(name, _, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(described).try_map(|name| {
        let named = values.iter().find(|(known, ..)| *known == name);
        named.map(|(_, value, _)| *value).ok_or("no such value")
    })
}

/// The name of one of these values.
pub(super) fn name_of<T: PartialEq>(values: Values<T>, value: &T) -> String {
    let named = values.iter().find(|(_, known, _)| known == value);
    named.map(|(name, ..)| (*name).to_owned()).unwrap_or_default()
}

/// Parses a number within bounds.
pub(super) fn number(bounds: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| bounds.contains(number));
        let (least, most) = (bounds.start(), bounds.end());
        number.ok_or_else(|| format!("must be a number from {least} to {most}"))
    }
}

/// Parses a share.
pub(super) fn share(text: &str) -> Result<f64, String> {
    number(0.0..=1.0)(text)
}

/// Parses a number of threads. More threads than processors would only cost memory.
pub(super) fn threads() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=1024)
}

/// Parses the host that access logs without hosts are of.
pub(super) fn host(text: &str) -> Result<String, String> {
    let wanted = "must be a host name or an IP address, with an optional scheme and port, such as \
                  `www.example.org` or `https://www.example.org:8443`";
    names_a_server(text).then(|| text.to_owned()).ok_or_else(|| wanted.to_owned())
}

fn value(method: Method) -> PossibleValue {
    PossibleValue::new(method.name()).help(method.about())
}

/// How a result is printed.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum TextOrJson {
    /// For people
    Text,
    /// For programs
    Json,
}

impl TextOrJson {
    /// Prints a value as JSON, or what says it in words.
    pub(super) fn print(self, value: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
        print_line(&match self {
            Self::Text => text(),
            Self::Json => json(value)?,
        })
    }
}

/// How each line of the output is written.
pub(super) const LINES: Values<QueueFormat> = &[
    ("text", QueueFormat::Text, "Plain text"),
    ("jsonl", QueueFormat::Jsonl, "One JSON object per line"),
];

/// Where networks are trained.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum DeviceArgument {
    /// The processor, with burn's `flex` backend: starts fast, repeatable byte for byte
    #[default]
    Cpu,
    /// The processor, with burn-ndarray (needs a build with `--features ndarray`)
    Ndarray,
    /// A graphics card, with burn-wgpu over Vulkan, Metal or DirectX (needs `--features gpu`)
    Gpu,
}

/// What counts as one site.
pub(super) const SITES: Values<SiteBy> = &[
    ("host", SiteBy::Host, "A host; `www.example.org` and `example.org` are one site"),
    (
        "domain",
        SiteBy::Domain,
        "A registrable domain of the public suffix list, with all its hosts",
    ),
];

/// What is evaluated as one unit.
pub(super) const UNITS: Values<UnitBy> = &[
    ("crawl", UnitBy::Crawl, "Each crawl as a whole"),
    ("host", UnitBy::Host, "Each host of each crawl"),
    ("domain", UnitBy::Domain, "Each registrable domain of each crawl"),
];

/// Which pages are held out.
pub(super) const HOLD_OUTS: Values<HoldOut> = &[
    ("time", HoldOut::Time, "The last pages of the crawl"),
    (
        "folder",
        HoldOut::Folder,
        "The pages in some top-level folders; pages outside any folder count as one folder",
    ),
    (
        "shape",
        HoldOut::Shape,
        "The pages of some URL shapes; a shape is the number of folders and the names in the query",
    ),
];

/// Sitemaps as evidence.
#[derive(Debug, clap::Args)]
pub(super) struct Sitemaps {
    /// Sitemaps of the site, plain or in gzip: the URLs that they list are different pages, where that is so on
    /// this site. Like [labels] in the settings; only methods with the gate use it
    #[arg(long = "sitemap", value_name = "FILE")]
    pub sitemaps: Vec<PathBuf>,
}

impl Sitemaps {
    /// The settings, in which sitemaps are evidence where some are given.
    pub(super) fn over(&self, mut config: Config) -> Config {
        config.labels.sitemap |= !self.sitemaps.is_empty();
        config
    }

    /// Reads them before the crawls. Warns if the settings ask for sitemaps and none is given.
    pub(super) fn read(
        &self,
        labels: &LabelConfig,
        options: &ReadOptions,
        list: &mut dyn FnMut(&str),
    ) -> Result<()> {
        if !self.sitemaps.is_empty() {
            let listed = read_sitemaps(&self.sitemaps, options, list)?;
            info(&format!("{} in sitemaps", counted(listed, "URL")));
        } else if labels.sitemap {
            info("the setting labels.sitemap has no effect: no sitemap is given with --sitemap");
        }
        Ok(())
    }
}

/// Where networks are trained.
#[derive(Debug, clap::Args)]
pub(super) struct NetworkTraining {
    /// Device to train networks on; only seq2seq uses it
    #[arg(long, value_enum, default_value_t)]
    pub device: DeviceArgument,
}

/// Where the models are.
#[derive(Debug, clap::Args)]
pub(super) struct ServedModels {
    /// Folder of the models, or a pack
    #[arg(long, value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    pub models: PathBuf,
}

impl ServedModels {
    /// Opens them.
    pub(super) fn open(&self) -> Result<Registry> {
        Registry::open(&self.models)
    }

    /// Opens them where there may be none.
    #[cfg(feature = "serve")]
    pub(super) fn open_any(&self) -> Registry {
        Registry::open_any(&self.models)
    }
}

/// Settings from the defaults, a file, the environment and the command line.
#[derive(Debug, clap::Args)]
pub(super) struct Settings {
    /// Settings file; settings left out keep their defaults (train.toml lists all of them)
    #[arg(long, value_name = "FILE", env = "UNDUST_CONFIG")]
    config: Option<PathBuf>,

    /// Seed of all random choices; overrides the setting `seed`
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
}

/// Settings of training, with a flag for some of them.
#[derive(Debug, clap::Args)]
pub(super) struct TrainingSettings {
    #[command(flatten)]
    settings: Settings,

    /// Largest share of a site's duplicate clusters that the accepted edits together may lose, 0 to
    /// 1; overrides the setting gate.max_lost_share
    ///
    /// This applies to methods with the gate (auto, slots). It bounds the loss on the
    /// training crawl, not on later pages. A value above the default, 0.005, also allows each single
    /// edit more errors.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    max_lost_share: Option<f64>,
}

impl TrainingSettings {
    /// The settings in force, and where each comes from.
    pub(super) fn layers(&self) -> Result<Layers> {
        let mut layers = self.settings.layers()?;
        if let Some(max_lost_share) = self.max_lost_share {
            layers.set(
                "gate.max_lost_share",
                toml::Value::Float(max_lost_share),
                Origin::Flag("--max-lost-share"),
            )?;
        }
        Ok(layers)
    }
}

impl Settings {
    /// The settings in force.
    pub(super) fn read(&self) -> Result<Config> {
        self.layers()?.config()
    }

    /// The same, with where each comes from.
    pub(super) fn layers(&self) -> Result<Layers> {
        let mut layers = layers_over(self.config.as_deref())?;
        if let Some(seed) = self.seed {
            // The parser of the argument bounds it.
            let seed = toml::Value::Integer(i64::try_from(seed).unwrap_or(i64::MAX));
            layers.set("seed", seed, Origin::Flag("--seed"))?;
        }
        Ok(layers)
    }
}

/// The defaults, overridden by a file, overridden by environment variables.
pub(super) fn layers_over(file: Option<&Path>) -> Result<Layers> {
    check_inputs(file.map(Path::to_owned).as_slice())?;
    let mut layers = Layers::new(file).map_err(wrong_file)?;
    layers.environment(variables())?;
    Ok(layers)
}

/// The environment variables. One that is not valid text is reported where it is read.
fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().map(|(name, text)| {
        (name.to_string_lossy().into_owned(), text.to_string_lossy().into_owned())
    })
}

/// A missing settings file is an error of the settings, as a wrong setting is.
fn wrong_file(error: Error) -> Error {
    match error {
        Error::Io { path, source, .. } => Error::at(path, ConfigReason::Unreadable { source }),
        error => error,
    }
}
