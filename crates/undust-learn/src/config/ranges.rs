//! The range of every number among the settings.

/// The smallest and the largest value of a setting.
#[derive(Debug, Clone, Copy)]
enum Range {
    /// Of a whole number.
    Whole(u64, u64),
    /// Of any number: above the first, up to the second.
    Above(f64, f64),
    /// Of any number: from the first to the second.
    From(f64, f64),
}

use Range::{Above, From, Whole};

use crate::error::{Allowed, ConfigReason};

/// Of a share.
const SHARE: Range = From(0.0, 1.0);

/// No count on one machine comes near it, and TOML can hold it.
const ANY: u64 = i64::MAX as u64;

/// By section and name. A test holds the table to be complete.
const RANGES: &[(&str, Range)] = &[
    ("seed", Whole(0, ANY)),
    ("clusters.bits", Whole(0, 7)),
    ("tokens.threshold", SHARE),
    ("tokens.key_threshold", SHARE),
    ("seq2seq.embedding", Whole(1, 4096)),
    ("seq2seq.hidden", Whole(1, 4096)),
    ("seq2seq.learning_rate", Above(0.0, 1000.0)),
    ("seq2seq.batch", Whole(1, 65_536)),
    ("seq2seq.max_steps", Whole(1, ANY)),
    ("seq2seq.check_every", Whole(1, ANY)),
    ("seq2seq.held_out", SHARE),
    ("seq2seq.max_source", Whole(1, 1024)),
    ("seq2seq.min_probability", SHARE),
    ("seq2seq_paper.embedding", Whole(1, 4096)),
    ("seq2seq_paper.hidden", Whole(1, 4096)),
    ("seq2seq_paper.learning_rate", Above(0.0, 1000.0)),
    ("seq2seq_paper.decay", SHARE),
    ("seq2seq_paper.batch", Whole(1, 65_536)),
    ("seq2seq_paper.max_steps", Whole(1, ANY)),
    ("seq2seq_paper.check_every", Whole(1, ANY)),
    ("seq2seq_paper.held_out", SHARE),
    ("seq2seq_paper.singleton_weight", SHARE),
    ("seq2seq_paper.count_power", SHARE),
    ("seq2seq_paper.max_source", Whole(1, 1024)),
    ("gate.max_lost_share", SHARE),
    ("rules.max_false_positives", SHARE),
    ("rules.min_coverage", Whole(0, ANY)),
    ("rewrite.fan_out", Whole(1, ANY)),
    ("tree.max_values", Whole(1, ANY)),
    ("dustbuster.min_support", Whole(1, ANY)),
    ("dustbuster.validations", Whole(1, ANY)),
    ("dustbuster.refutation", SHARE),
    ("duster.urls_per_cluster", Whole(2, ANY)),
    ("duster.min_frequency", Whole(1, ANY)),
    ("duster.validation", SHARE),
    ("site.min_pages", Whole(0, ANY)),
    ("site.min_clusters", Whole(0, ANY)),
];

/// Whether every number is within its range; a sentence that names the first that is not.
pub(super) fn check(settings: &toml::Table) -> Result<(), ConfigReason> {
    numbers(settings).iter().try_for_each(|(name, value)| check_one(name, value))
}

/// Every number of the settings, by section and name.
fn numbers(settings: &toml::Table) -> Vec<(String, &toml::Value)> {
    let mut numbers = Vec::new();
    for (section, value) in settings {
        match value {
            toml::Value::Table(settings) => numbers
                .extend(settings.iter().map(|(name, value)| (format!("{section}.{name}"), value))),
            value => numbers.push((section.clone(), value)),
        }
    }
    numbers.retain(|(_, value)| value.is_integer() || value.is_float());
    numbers
}

fn check_one(name: &str, value: &toml::Value) -> Result<(), ConfigReason> {
    let Some((_, range)) = RANGES.iter().find(|(known, _)| *known == name) else {
        return Err(ConfigReason::NoRange { name: name.to_owned() });
    };
    let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    let number = number.unwrap_or(f64::NAN);
    let (is_within, allowed) = match *range {
        Whole(least, ANY) => {
            (value.as_integer().is_some_and(|v| v >= least as i64), Allowed::AtLeast(least))
        }
        Whole(least, most) => {
            let (least, most) = (least as f64, most as f64);
            ((least..=most).contains(&number), Allowed::Within(least, most))
        }
        Above(limit, most) => (number > limit && number <= most, Allowed::Above(limit, most)),
        From(least, most) => ((least..=most).contains(&number), Allowed::Within(least, most)),
    };
    // TOML spells 1.0 where a person writes 1.
    let wrong = || ConfigReason::OutOfRange { name: name.to_owned(), number, allowed };
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
        let numbers = numbers(&settings);
        let names: Vec<&str> = numbers.iter().map(|(name, _)| name.as_str()).collect();
        for (name, _) in RANGES {
            assert!(names.contains(name), "{name} is no setting");
        }
        assert_eq!(names.len(), RANGES.len());
        assert!(check(&table(&Config::default())).is_ok());
    }

    /// Sets each number in turn to a value beyond its range.
    #[test]
    fn every_number_beyond_its_range_is_named() {
        for (name, range) in RANGES {
            let beyond = match *range {
                Whole(least, ANY) => vec![toml::Value::Integer(least as i64 - 1)],
                Whole(least, most) => {
                    vec![
                        toml::Value::Integer(least as i64 - 1),
                        toml::Value::Integer(most as i64 + 1),
                    ]
                }
                Above(limit, most) | From(limit, most) => {
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
