//! Settings from several places, the later over the earlier: defaults, a file, the environment,
//! flags.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use undust_util::address::shown;

use super::{Config, no_toml};
use crate::error::{ConfigReason, Error, Result};

/// What the variables of the environment begin with.
const PREFIX: &str = "UNDUST";

/// Where a setting comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody gave it.
    Default,
    /// A file.
    File(PathBuf),
    /// The variable of the environment with this name.
    Environment(String),
    /// The flag of the command line with this name.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => shown(&path).fmt(f),
            Self::Environment(name) => f.write_str(name),
            Self::Flag(name) => f.write_str(name),
        }
    }
}

/// Settings, and where each comes from.
#[derive(Debug, Clone)]
pub struct Layers {
    settings: Table,
    /// Of those that are no default, by name: `gate.max_lost_share`.
    origins: BTreeMap<String, Origin>,
}

impl Layers {
    /// The defaults, and what a file says.
    ///
    /// # Errors
    ///
    /// Those of [`Config::read`].
    pub fn new(file: Option<&Path>) -> Result<Layers> {
        let defaults = table(&Config::default())?;
        let Some(path) = file else {
            return Ok(Layers { settings: defaults, origins: BTreeMap::new() });
        };
        let text = Config::text_of(path)?;
        let settings = table(&Config::of_file(path, &text)?)?;
        let mut layers = Layers { settings, origins: BTreeMap::new() };
        let given: Table = toml::from_str(&text).unwrap_or_default();
        for name in names(&layers.settings) {
            // What a file states is its own, though it be the default.
            if get(&given, &name).is_some() || get(&defaults, &name) != get(&layers.settings, &name)
            {
                layers.origins.insert(name, Origin::File(path.into()));
            }
        }
        Ok(layers)
    }

    /// Takes what the variables of the environment say: `UNDUST_GATE_MAX_LOST_SHARE` for `max_lost_share` of `[gate]`.
    /// A variable whose prefix is that of no section is not a setting; an empty one counts as not set.
    ///
    /// # Errors
    ///
    /// A value that its setting cannot have, and a name that no setting of its section has.
    pub fn environment(&mut self, variables: impl Iterator<Item = (String, String)>) -> Result<()> {
        let mut variables: BTreeMap<String, String> =
            variables.filter(|(_, text)| !text.is_empty()).collect();
        for name in names(&self.settings) {
            let called = format!("{PREFIX}_{}", name.replace('.', "_").to_uppercase());
            if let Some(text) = variables.remove(&called) {
                let value = value(&text, get(&self.settings, &name));
                self.set(&name, value, Origin::Environment(called))?;
            }
        }
        variables.keys().try_for_each(|called| self.check_unknown(called))
    }

    /// Refuses a variable that begins like those of a section and names no setting.
    fn check_unknown(&self, called: &str) -> Result<()> {
        let wrong = |reason| Err(Error::at(called, reason));
        let Some(rest) = called.strip_prefix(PREFIX).and_then(|rest| rest.strip_prefix('_')) else {
            return Ok(());
        };
        // `seq2seq_paper` comes before `seq2seq`, which it begins with.
        for (section, settings) in self.settings.iter().rev() {
            let begin = format!("{}_", section.to_uppercase());
            if let (Some(name), Value::Table(known)) = (rest.strip_prefix(&begin), settings) {
                return wrong(ConfigReason::UnknownSetting {
                    section: section.clone(),
                    name: name.to_lowercase(),
                    known: known.keys().cloned().collect(),
                });
            }
        }
        Ok(())
    }

    /// Sets one.
    ///
    /// # Errors
    ///
    /// A value that it cannot have.
    pub fn set(&mut self, name: &str, value: Value, origin: Origin) -> Result<()> {
        let wrong = |reason| Error::at(origin.to_string(), reason);
        match name.split_once('.') {
            None => _ = self.settings.insert(name.to_owned(), value),
            Some((section, name)) => {
                if let Some(Value::Table(section)) = self.settings.get_mut(section) {
                    section.insert(name.to_owned(), value);
                }
            }
        }
        self.parsed().map_err(wrong)?;
        self.origins.insert(name.to_owned(), origin);
        Ok(())
    }

    /// The settings that hold.
    pub fn config(&self) -> Result<Config> {
        self.parsed().map_err(Error::from)
    }

    fn parsed(&self) -> Result<Config, ConfigReason> {
        let config: Config = self
            .settings
            .clone()
            .try_into()
            .map_err(|error: toml::de::Error| no_toml(error.message().trim()))?;
        config.check().map(|()| config)
    }

    /// All settings with their names, those without a section first.
    pub fn settings(&self) -> impl Iterator<Item = (String, &Value, &Origin)> {
        names(&self.settings).into_iter().filter_map(|name| {
            let value = get(&self.settings, &name)?;
            let origin = self.origins.get(&name).unwrap_or(&Origin::Default);
            Some((name, value, origin))
        })
    }
}

/// The names of all settings, such as `tokens.threshold`; those in no section come first.
pub(super) fn names(settings: &Table) -> Vec<String> {
    let (mut names, mut of_sections) = (Vec::new(), Vec::new());
    for (name, value) in settings {
        match value {
            Value::Table(settings) => {
                of_sections.extend(settings.keys().map(|setting| format!("{name}.{setting}")));
            }
            _ => names.push(name.clone()),
        }
    }
    names.append(&mut of_sections);
    names
}

fn table(config: &Config) -> Result<Table> {
    Table::try_from(config).map_err(|error| no_toml(error).into())
}

pub(super) fn get<'t>(settings: &'t Table, name: &str) -> Option<&'t Value> {
    match name.split_once('.') {
        None => settings.get(name),
        Some((section, name)) => settings.get(section)?.as_table()?.get(name),
    }
}

/// A value as TOML writes it; for a setting that is text, without quotes, too; for one that is a
/// list, with commas between.
fn value(text: &str, old: Option<&Value>) -> Value {
    let parsed = toml::from_str::<Table>(&format!("value = {text}"));
    let parsed = parsed.ok().and_then(|mut table| table.remove("value"));
    match (parsed, old) {
        (Some(Value::Integer(number)), Some(Value::Float(_))) => Value::Float(number as f64),
        (Some(value), Some(old)) if value.same_type(old) => value,
        // TOML does not know `.01`.
        (None, Some(Value::Float(_))) => match text.trim().parse() {
            Ok(number) => Value::Float(number),
            Err(_) => Value::String(text.to_owned()),
        },
        (_, Some(Value::String(_))) => Value::String(text.to_owned()),
        (_, Some(Value::Array(_))) => {
            let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
            Value::Array(parts.map(|part| Value::String(part.to_owned())).collect())
        }
        (Some(value), _) => value,
        (None, _) => Value::String(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(variables: &[(&str, &str)]) -> impl Iterator<Item = (String, String)> {
        let variables = variables.iter().map(|(name, text)| [*name, *text].map(str::to_owned));
        variables.map(|[name, text]| (name, text)).collect::<Vec<_>>().into_iter()
    }

    fn describe(layers: &Layers, wanted: &str) -> (String, String) {
        let found = layers.settings().find(|(name, ..)| name == wanted).expect("a setting");
        (found.1.to_string(), found.2.to_string())
    }

    #[test]
    fn the_later_layer_counts() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "seed = 3\n[gate]\nmax_lost_share = 0.1\ndrop = [\"sid\"]\n")
            .expect("written");
        let mut layers = Layers::new(Some(file.path())).expect("settings");
        let variables = [
            ("UNDUST_SEED", "4"),
            ("UNDUST_SITE_MIN_PAGES", "9"),
            ("UNDUST_TOKENS_THRESHOLD", ".02"),
            ("UNDUST_GATE_KEEP", "id, page"),
            ("UNDUST_TREE_DEEP_TOKENS", "false"),
            ("UNDUST_GATE_DROP", ""),
            ("UNDUST_GATE_RIKS", ""),
            ("UNDUST_CRAWLS", "/nowhere"),
            ("UNDUST_TOKEN", "secret"),
            ("UNDUST", "_GATE_RIKS"),
            ("GATE_RIKS", "1"),
        ];
        layers.environment(owned(&variables)).expect("settings");
        layers.set("seed", Value::Integer(5), Origin::Flag("--seed")).expect("a seed");
        let config = layers.config().expect("settings");
        assert_eq!((config.seed, config.gate.max_lost_share, config.site.min_pages), (5, 0.1, 9));
        assert_eq!(config.gate.keep, ["id", "page"]);
        assert_eq!(describe(&layers, "seed"), ("5".into(), "--seed".into()));
        assert_eq!(describe(&layers, "site.min_pages").1, "UNDUST_SITE_MIN_PAGES");
        let of_file = file.path().display().to_string();
        assert_eq!(describe(&layers, "gate.drop"), ("[\"sid\"]".into(), of_file));
        assert_eq!(
            describe(&layers, "tokens.threshold"),
            ("0.02".into(), "UNDUST_TOKENS_THRESHOLD".into())
        );
        assert_eq!(describe(&layers, "rules.min_coverage").1, "default");
    }

    #[test]
    fn a_wrong_value_is_named_by_its_variable() {
        for (variable, text, reason) in [
            ("UNDUST_GATE_MAX_LOST_SHARE", "2", "from 0 to 1"),
            ("UNDUST_SEED", "many", "invalid type"),
            (
                "UNDUST_GATE_RIKS",
                "0.1",
                "[gate] has no setting `riks`; it has drop, exceptions, keep,",
            ),
            ("UNDUST_GATE_", "0.1", "[gate] has no setting ``"),
            ("UNDUST_CANONICAL_X", "1", "[canonical] has no setting `x`"),
            ("UNDUST_SEQ2SEQ_PAPER_X", "1", "[seq2seq_paper] has no setting `x`"),
        ] {
            let mut layers = Layers::new(None).expect("the defaults");
            let described = layers
                .environment(owned(&[(variable, text)]))
                .expect_err("a wrong value")
                .to_string();
            assert!(described.starts_with(variable) && described.contains(reason), "{described}");
        }
    }

    #[test]
    fn every_setting_is_told() {
        let layers = Layers::new(None).expect("the defaults");
        assert_eq!(layers.settings().count(), names(&layers.settings).len());
    }
}
