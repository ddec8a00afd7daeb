//! What was typed, as the library's types.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, RangedI64ValueParser, TypedValueParser};

use undust_learn::config::Config;
use undust_learn::config::layers::{Layers, Origin};
use undust_learn::evaluate::units::UnitBy;
use undust_learn::method::Method;
use undust_learn::training::hold_out::HoldOut;
use undust_url::site::SiteBy;
use undust_url::site::names_a_server;
use undust_util::error::{Error, Result};

/// Parses the name of a method.
pub(super) fn any_method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::all().map(value)).try_map(|name| name.parse::<Method>())
}

/// Parses the name of a method that leaves a model.
pub(super) fn trained_method() -> impl TypedValueParser<Value = Method> {
    let leaves_a_model = |method: &Method| !method.is_baseline() && *method != Method::Seq2SeqPaper;
    PossibleValuesParser::new(Method::all().filter(leaves_a_model).map(value))
        .try_map(|name| name.parse::<Method>())
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

/// Parses a number of threads: more than any machine has processors would only take its memory.
pub(super) fn threads() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=1024)
}

/// Parses the host of access logs that name none.
pub(super) fn host(text: &str) -> Result<String, String> {
    let wanted = "must be a host name or an IP address, with a scheme and a port or without, and \
                  nothing else: `www.example.org` or `https://www.example.org:8443`";
    names_a_server(text).then(|| text.to_owned()).ok_or_else(|| wanted.to_owned())
}

fn value(method: Method) -> PossibleValue {
    PossibleValue::new(method.name()).help(method.about())
}

/// Where networks are trained.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum DeviceArgument {
    /// The processor, by burn's `flex` backend: fast to start, and repeatable byte for byte
    #[default]
    Cpu,
    /// The processor, by burn-ndarray (a build with `--features ndarray`)
    Ndarray,
    /// A graphics card, by burn-wgpu over Vulkan, Metal or DirectX (`--features gpu`)
    Gpu,
}

/// What counts as one site.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum SiteArgument {
    /// A host name; with and without `www.` it is the same one
    #[default]
    Host,
    /// A registrable domain of the public suffix list, with all its hosts
    Domain,
}

impl From<SiteArgument> for SiteBy {
    fn from(site: SiteArgument) -> Self {
        match site {
            SiteArgument::Host => Self::Host,
            SiteArgument::Domain => Self::Domain,
        }
    }
}

/// What is judged as one.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum UnitArgument {
    /// Each crawl as a whole
    #[default]
    Crawl,
    /// Each host of each crawl
    Host,
    /// Each registrable domain of each crawl
    Domain,
}

impl From<UnitArgument> for UnitBy {
    fn from(unit: UnitArgument) -> Self {
        match unit {
            UnitArgument::Crawl => Self::Crawl,
            UnitArgument::Host => Self::Host,
            UnitArgument::Domain => Self::Domain,
        }
    }
}

/// Which pages are held out.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum HoldOutArgument {
    /// The last ones
    #[default]
    Time,
    /// Those in some top folders, of which nothing is learned; what is in none is one of them
    Folder,
    /// Those of some shapes: as many folders, and the same names in the query
    Shape,
}

impl From<HoldOutArgument> for HoldOut {
    fn from(hold_out: HoldOutArgument) -> Self {
        match hold_out {
            HoldOutArgument::Time => Self::Time,
            HoldOutArgument::Folder => Self::Folder,
            HoldOutArgument::Shape => Self::Shape,
        }
    }
}

/// Settings: the defaults, a file's, those of the environment, and what was typed.
#[derive(Debug, clap::Args)]
pub(super) struct Settings {
    /// Settings as train.toml of the source lists them; those left out keep their defaults
    #[arg(long, value_name = "FILE", env = "UNDUST_CONFIG", hide_env_values = true)]
    config: Option<PathBuf>,

    /// Everything random follows from this number, instead of the settings' seed
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
}

/// Settings of training, some of which have a flag.
#[derive(Debug, clap::Args)]
pub(super) struct TrainingSettings {
    #[command(flatten)]
    settings: Settings,

    /// Largest share of a site's clusters of equal pages that the edits of `auto` and `slots` may
    /// lose, 0 to 1, instead of the settings' gate.risk
    ///
    /// It bounds what is lost on the crawl that is learned from, not on later pages. Above the
    /// default, .005, each edit by itself may put as much more wrong.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    max_lost_share: Option<f64>,
}

impl TrainingSettings {
    /// The settings that hold, with where each comes from.
    pub(super) fn layers(&self) -> Result<Layers> {
        let mut layers = self.settings.layers()?;
        if let Some(max_lost_share) = self.max_lost_share {
            layers.set(
                "gate.max_lost_share",
                toml::Value::Float(max_lost_share),
                Origin::Flag("--max_lost_share"),
            )?;
        }
        Ok(layers)
    }
}

impl Settings {
    /// The settings that hold.
    pub(super) fn read(&self) -> Result<Config> {
        self.layers()?.config()
    }

    /// The same, with where each comes from.
    fn layers(&self) -> Result<Layers> {
        let mut layers = layers_over(self.config.as_deref())?;
        if let Some(seed) = self.seed {
            // The parser of the argument bounds it.
            let seed = toml::Value::Integer(i64::try_from(seed).unwrap_or(i64::MAX));
            layers.set("seed", seed, Origin::Flag("--seed"))?;
        }
        Ok(layers)
    }
}

/// The defaults, what a file says, and over it the variables of the environment.
pub(super) fn layers_over(file: Option<&Path>) -> Result<Layers> {
    let mut layers = Layers::new(file).map_err(wrong_file)?;
    layers.environment(variables())?;
    Ok(layers)
}

/// The variables of the environment. What is no text in one of them is told where it is read.
fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().map(|(name, text)| {
        (name.to_string_lossy().into_owned(), text.to_string_lossy().into_owned())
    })
}

/// A settings file that is not there is as wrong as what stands in one.
fn wrong_file(error: Error) -> Error {
    match error {
        Error::Io { path, source, .. } => {
            Error::Config { path, reason: format!("cannot be read: {source}") }
        }
        error => error,
    }
}
