//! Settings of the gate.

use serde::{Deserialize, Serialize};

use crate::error::{ConfigReason, NameFault};

/// What the gate accepts, and what no crawl decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateConfig {
    /// Largest share of the pages that all edits together may lose. Where it is larger than the default, one edit may
    /// lose more, too, and what it loses counts for less.
    pub max_lost_share: f64,
    /// Names of arguments that no edit may drop, nor cut, nor give another value. An edit of pieces, wherever they
    /// stand (`new- → (nothing)`), may still change a part of a value. Methods without the gate refuse to learn with
    /// any.
    pub keep: Vec<String>,
    /// Names of arguments that are always dropped, whatever the method.
    pub drop: Vec<String>,
    /// Prefixes of URLs, or of paths if they begin with `/`: such URLs stay as they are,
    /// whatever the method.
    pub exceptions: Vec<String>,
}

impl Default for GateConfig {
    fn default() -> Self {
        Self { max_lost_share: 0.005, keep: Vec::new(), drop: Vec::new(), exceptions: Vec::new() }
    }
}

impl GateConfig {
    /// Whether the lists can do what they are for; the reason where one cannot.
    pub(super) fn check(&self) -> Result<(), ConfigReason> {
        self.keep.iter().try_for_each(|name| check_name("keep", name))?;
        self.drop.iter().try_for_each(|name| check_name("drop", name))?;
        if let Some(both) = self.keep.iter().find(|name| self.drop.contains(name)) {
            return Err(ConfigReason::KeptAndDropped { name: both.clone() });
        }
        self.exceptions.iter().try_for_each(|prefix| check_exception(prefix))
    }
}

/// Whether an argument can have this name.
fn check_name(list: &'static str, name: &str) -> Result<(), ConfigReason> {
    let fault = if name.is_empty() {
        NameFault::Empty
    } else if name.starts_with('?') {
        NameFault::QuestionMark
    } else if name.contains(['=', '&', ';', '#']) {
        NameFault::Separator
    } else if name.trim() != name {
        NameFault::Space
    } else {
        return Ok(());
    };
    Err(ConfigReason::ArgumentName { list, name: name.to_owned(), fault })
}

/// Whether some URLs begin so, and not all.
fn check_exception(prefix: &str) -> Result<(), ConfigReason> {
    match prefix {
        "" | "/" => Err(ConfigReason::ExceptsAll { prefix: prefix.to_owned() }),
        _ if prefix.starts_with('/') || prefix.contains("://") => Ok(()),
        _ => Err(ConfigReason::ExceptsNone { prefix: prefix.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    fn describe(gate: &str) -> String {
        let parsed = format!("[gate]\n{gate}").parse::<Config>();
        parsed.expect_err("lists that cannot be meant").to_string()
    }

    #[test]
    fn names_that_no_argument_has_are_refused() {
        for list in ["keep", "drop"] {
            for (name, wrong) in [
                ("", "is empty"),
                ("?sid", "begins with `?`"),
                ("sid=1", "has `=`"),
                ("a&b", "has `=`, `&`"),
                ("a;b", "has `=`, `&`, `;`"),
                ("a#b", "or `#`"),
                (" sid", "begins or ends with a space"),
            ] {
                let described = describe(&format!("{list} = [\"id\", {name:?}]"));
                let begin = format!("gate.{list} names {name:?}, which ");
                assert!(described.starts_with(&begin) && described.contains(wrong), "{described}");
            }
        }
    }

    #[test]
    fn a_name_is_not_kept_and_dropped() {
        let described = describe("keep = [\"id\", \"ref\"]\ndrop = [\"sid\", \"ref\"]");
        assert!(described.starts_with("gate.keep and gate.drop both name \"ref\""), "{described}");
    }

    #[test]
    fn what_excepts_all_or_none_is_refused() {
        let (all, none) = ("which is the beginning of every URL", "neither a path nor a URL");
        for (prefix, wrong) in [("", all), ("/", all), ("login", none), ("a.test/", none)] {
            let described = describe(&format!("exceptions = [\"/x\", {prefix:?}]"));
            assert!(
                described.starts_with(&format!("gate.exceptions has {prefix:?}")),
                "{described}"
            );
            assert!(described.contains(wrong), "{described}");
        }
    }

    #[test]
    fn lists_that_can_be_meant_are_taken() {
        let text = "[gate]\nkeep = [\"id\", \"a.b\", \"f[]\", \"ö\"]\ndrop = [\"a?b\"]\n\
                    exceptions = [\"/login\", \"http://\", \"https://a.test/shop/\"]";
        assert!(text.parse::<Config>().is_ok());
    }
}
