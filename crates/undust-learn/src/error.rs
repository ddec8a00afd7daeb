//! Why settings cannot be used, and why nothing is learned.

use std::io;

use undust_cluster::CriteriaReason;
pub(crate) use undust_util::error::{Error, Reason, Result, Subject};
use undust_util::plural::counted;

/// Why a settings file, a variable or a single setting cannot be used. Arises when settings are
/// read, and again before anything is learned with them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigReason {
    /// The settings file cannot be opened or read.
    #[error("cannot be read: {source}")]
    Unreadable {
        /// What the system answered.
        source: io::Error,
    },
    /// The settings file is longer than any that a person writes.
    #[error("is larger than {mebibytes} MiB, too large for a settings file")]
    TooLarge {
        /// The most that is read, in MiB.
        mebibytes: u64,
    },
    /// The text is not TOML, names what is no setting, or gives a value of another type.
    #[error("{detail}")]
    Toml {
        /// What the decoder says.
        detail: String,
    },
    /// A variable of the environment names a section, but no setting of it.
    #[error("[{section}] has no setting `{name}`; it has {}", known.join(", "))]
    UnknownSetting {
        /// The section.
        section: String,
        /// The name that no setting has.
        name: String,
        /// The settings of the section.
        known: Vec<String>,
    },
    /// A number is too small or too large.
    #[error("{name} = {number} must be {allowed}")]
    OutOfRange {
        /// Section and name of the setting.
        name: String,
        /// Its value.
        number: f64,
        /// The values that it can have.
        allowed: Allowed,
    },
    /// A setting has no range: the code forgot it.
    #[error("{name} has no range; this is a bug in undust")]
    NoRange {
        /// Section and name of the setting.
        name: String,
    },
    /// An extra delimiter is no ASCII punctuation.
    #[error(
        "tokens.extra_delimiters holds {letter:?}, which is not ASCII punctuation, \
         such as - or _; leave it out"
    )]
    Delimiter {
        /// The letter.
        letter: char,
    },
    /// No argument can have a name that `gate.keep` or `gate.drop` lists.
    #[error("gate.{list} names {name:?}, which {fault}; write `sid` for the argument `?sid=1`")]
    ArgumentName {
        /// The list: `keep` or `drop`.
        list: &'static str,
        /// The name.
        name: String,
        /// What is wrong with it.
        fault: NameFault,
    },
    /// An argument is to be kept and dropped.
    #[error("gate.keep and gate.drop both name {name:?}: remove it from one of them")]
    KeptAndDropped {
        /// The argument.
        name: String,
    },
    /// An exception holds for every URL.
    #[error(
        "gate.exceptions has {prefix:?}, which is the beginning of every URL: write the beginning \
         of a path (\"/login\") or of a URL (\"https://example.org/shop/\")"
    )]
    ExceptsAll {
        /// The exception.
        prefix: String,
    },
    /// An exception holds for no URL.
    #[error(
        "gate.exceptions has {prefix:?}, which is neither a path nor a URL: write the beginning \
         of a path (\"/login\") or of a URL (\"https://example.org/shop/\")"
    )]
    ExceptsNone {
        /// The exception.
        prefix: String,
    },
    /// `gate.keep` names arguments, and the method has no gate that could keep them.
    #[error(
        "gate.keep has no effect on `{method}`, which has no gate and may drop any argument: use \
         `auto`, or remove gate.keep from the settings"
    )]
    KeepWithoutGate {
        /// The method.
        method: String,
    },
    /// The order of canonical URLs cannot be used.
    #[error(transparent)]
    Criteria(#[from] CriteriaReason),
}

impl Reason for ConfigReason {
    const SUBJECT: Subject = Subject::Settings;
}

/// The values that a number among the settings can have.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Allowed {
    /// This one or a larger one.
    #[error("at least {0}")]
    AtLeast(u64),
    /// From the first to the second.
    #[error("from {0} to {1}")]
    Within(f64, f64),
    /// Above the first, up to the second.
    #[error("above {0} and at most {1}")]
    Above(f64, f64),
}

/// Why no argument of a URL can have a name, such as one in `gate.keep`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// It has no letter.
    #[error("is empty")]
    Empty,
    /// It begins with the `?` that precedes arguments.
    #[error("begins with `?`")]
    QuestionMark,
    /// It contains what separates arguments.
    #[error("has `=`, `&`, `;` or `#` in it")]
    Separator,
    /// It has white space around it.
    #[error("begins or ends with a space")]
    Space,
}

/// Why a method learned nothing. Arises in training.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingReason {
    /// The observer interrupted the training too early.
    #[error("interrupted before anything was learned")]
    Interrupted,
    /// The pages are of no site.
    #[error("no page has a URL with a host")]
    NoHost,
    /// The site has too few pages or duplicates.
    #[error(
        "{site} has {} and {}: a model needs {min_pages} and {min_clusters} (site.min_pages, \
         site.min_clusters)",
        counted(*pages, "page"),
        counted(*duplicates, "duplicate cluster")
    )]
    TooLittle {
        /// The site.
        site: String,
        /// Its pages.
        pages: usize,
        /// Its duplicate clusters.
        duplicates: usize,
        /// Fewest pages that a model needs.
        min_pages: usize,
        /// Fewest duplicate clusters that a model needs.
        min_clusters: usize,
    },
    /// The method needs pages, and a log or a list has only URLs.
    #[error("`{method}` learns from pages, but there are only URLs from a log or list")]
    NeedsPages {
        /// The method.
        method: &'static str,
    },
}

impl Reason for TrainingReason {}

/// Why a value that the caller gives cannot be used. Arises before any work is done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentReason {
    /// No method has this name.
    #[error("no method is called `{name}`")]
    UnknownMethod {
        /// The name.
        name: String,
    },
}

impl Reason for ArgumentReason {}

/// Why no page of a crawl can be set aside for testing. Arises when an evaluation splits its pages.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SplitReason {
    /// An evaluation has no page to test on.
    #[error("none of {} is left to test on", counted(*pages, "page"))]
    NothingHeldOut {
        /// Pages of the crawl.
        pages: usize,
    },
    /// An evaluation cannot set whole folders or shapes aside.
    #[error(
        "{} cannot be split: no set of {groups} has about {percent:.0} % of them",
        counted(*pages, "page")
    )]
    NoSplit {
        /// Pages of the crawl.
        pages: usize,
        /// What stays together: `folders` or `shapes`.
        groups: &'static str,
        /// The share of the pages to set aside, in percent.
        percent: f64,
    },
}

impl Reason for SplitReason {
    const SUBJECT: Subject = Subject::Crawl;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_counts_pages() {
        let none = SplitReason::NothingHeldOut { pages: 1 };
        assert_eq!(none.to_string(), "none of 1 page is left to test on");
        let percent = 19.999_999_999_999_996;
        let split = SplitReason::NoSplit { pages: 9, groups: "folders", percent };
        let sentence = "9 pages cannot be split: no set of folders has about 20 % of them";
        assert_eq!(split.to_string(), sentence);
    }
}
