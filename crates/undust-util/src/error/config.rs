//! Why settings cannot be used.

use std::fmt;
use std::io;

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
    /// The order of canonical URLs names a criterion twice.
    #[error("canonical.order names {criterion} twice")]
    CriterionTwice {
        /// The criterion.
        criterion: String,
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
}

/// The values that a number among the settings can have.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Allowed {
    /// This one or a larger one.
    AtLeast(u64),
    /// From the first to the second.
    Within(f64, f64),
    /// Above the first, up to the second.
    Above(f64, f64),
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, "at least {least}"),
            Self::Within(least, most) => write!(f, "from {least} to {most}"),
            Self::Above(limit, most) => write!(f, "above {limit} and at most {most}"),
        }
    }
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
