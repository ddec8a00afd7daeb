//! The range of every number among the settings.

use super::layers::{get, names};
use crate::error::Allowed::{self, Above, AtLeast, Within};
use crate::error::ConfigReason;

/// Of a share.
const SHARE: Allowed = Within(0.0, 1.0);

/// By section and name. A test holds the table to be complete.
const RANGES: &[(&str, Allowed)] = &[
    ("seed", AtLeast(0)),
    ("clusters.bits", Within(0.0, 7.0)),
    ("tokens.threshold", SHARE),
    ("tokens.key_threshold", SHARE),
    ("seq2seq.embedding", Within(1.0, 4096.0)),
    ("seq2seq.hidden", Within(1.0, 4096.0)),
    ("seq2seq.learning_rate", Above(0.0, 1000.0)),
    ("seq2seq.batch", Within(1.0, 65_536.0)),
    ("seq2seq.max_steps", AtLeast(1)),
    ("seq2seq.check_every", AtLeast(1)),
    ("seq2seq.held_out", SHARE),
    ("seq2seq.max_source", Within(1.0, 1024.0)),
    ("seq2seq.min_probability", SHARE),
    ("seq2seq_paper.embedding", Within(1.0, 4096.0)),
    ("seq2seq_paper.hidden", Within(1.0, 4096.0)),
    ("seq2seq_paper.learning_rate", Above(0.0, 1000.0)),
    ("seq2seq_paper.decay", SHARE),
    ("seq2seq_paper.batch", Within(1.0, 65_536.0)),
    ("seq2seq_paper.max_steps", AtLeast(1)),
    ("seq2seq_paper.check_every", AtLeast(1)),
    ("seq2seq_paper.held_out", SHARE),
    ("seq2seq_paper.singleton_weight", SHARE),
    ("seq2seq_paper.count_power", SHARE),
    ("seq2seq_paper.max_source", Within(1.0, 1024.0)),
    ("gate.max_lost_share", SHARE),
    ("rules.max_false_positives", SHARE),
    ("rules.min_coverage", AtLeast(0)),
    ("rewrite.fan_out", AtLeast(1)),
    ("tree.max_values", AtLeast(1)),
    ("dustbuster.min_support", AtLeast(1)),
    ("dustbuster.validations", AtLeast(1)),
    ("dustbuster.refutation", SHARE),
    ("duster.urls_per_cluster", AtLeast(2)),
    ("duster.min_frequency", AtLeast(1)),
    ("duster.validation", SHARE),
    ("site.min_pages", AtLeast(0)),
    ("site.min_clusters", AtLeast(0)),
];

/// Whether every number is within its range; a sentence that names the first that is not.
pub(super) fn check(settings: &toml::Table) -> Result<(), ConfigReason> {
    numbers(settings).try_for_each(|(name, value)| check_one(&name, value))
}

/// Every number of the settings, by section and name.
fn numbers(settings: &toml::Table) -> impl Iterator<Item = (String, &toml::Value)> {
    let named = names(settings).into_iter().filter_map(|name| {
        let value = get(settings, &name)?;
        Some((name, value))
    });
    named.filter(|(_, value)| value.is_integer() || value.is_float())
}

fn check_one(name: &str, value: &toml::Value) -> Result<(), ConfigReason> {
    let Some((_, allowed)) = RANGES.iter().find(|(known, _)| *known == name) else {
        return Err(ConfigReason::NoRange { name: name.to_owned() });
    };
    let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    let number = number.unwrap_or(f64::NAN);
    let is_within = match *allowed {
        AtLeast(least) => number >= least as f64,
        Within(least, most) => (least..=most).contains(&number),
        Above(limit, most) => number > limit && number <= most,
    };
    // TOML spells 1.0 where a person writes 1.
    let wrong = || ConfigReason::OutOfRange { name: name.to_owned(), number, allowed: *allowed };
    is_within.then_some(()).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn table(config: &Config) -> toml::Table {
        toml::Table::try_from(config).expect("settings")
    }

    #[test]
    fn every_number_has_a_range_and_its_default_is_within() {
        let settings = table(&Config::default());
        let names: Vec<String> = numbers(&settings).map(|(name, _)| name).collect();
        for (name, _) in RANGES {
            assert!(names.iter().any(|known| known == name), "{name} is no setting");
        }
        assert_eq!(names.len(), RANGES.len());
        assert!(check(&table(&Config::default())).is_ok());
    }

    /// Sets each number in turn to a value beyond its range.
    #[test]
    fn every_number_beyond_its_range_is_named() {
        for (name, range) in RANGES {
            let beyond = match *range {
                AtLeast(least) => vec![toml::Value::Integer(least as i64 - 1)],
                Above(limit, most) | Within(limit, most) => {
                    [limit - 1.0, 2.0 * most, f64::NAN].map(toml::Value::Float).to_vec()
                }
            };
            for value in beyond {
                let described =
                    check_one(name, &value).expect_err("a value out of range").to_string();
                assert!(described.starts_with(&format!("{name} = ")), "{described}");
            }
        }
    }

    #[test]
    fn a_sentence_says_what_is_wanted() {
        let mut config = Config::default();
        config.rules.max_false_positives = 10.0;
        let described = check(&table(&config)).expect_err("a share of ten").to_string();
        assert_eq!(described, "rules.max_false_positives = 10 must be from 0 to 1");
        config = Config::default();
        config.seq2seq.hidden = 0;
        let described = check(&table(&config)).expect_err("no units").to_string();
        assert_eq!(described, "seq2seq.hidden = 0 must be from 1 to 4096");
    }
}
