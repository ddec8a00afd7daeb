//! The keys of a URL's values, and their notation (Koppula et al., WSDM 2010, section 3).

use std::fmt;

/// The position of a value in a URL, written as in the paper: `k(x,y)` with `x` counted from the
/// start (the scheme is 1) and `y` from the end.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// `k(1,-)`: the scheme.
    Scheme,
    /// `k(2,-)`: the authority.
    Host,
    /// `k(3,-)` for 0: a path segment from the start.
    Start(u16),
    /// `k(-,1)` for 0: a path segment from the end.
    End(u16),
    /// `k_name`: an argument.
    Argument {
        /// The name as written in the URL.
        name: String,
        /// Its number among the arguments of this name, from 0; 1 is written `k_name#2`.
        nth: u16,
        /// Whether it has no `=`; written `k_name#bare`.
        bare: bool,
    },
    /// `k(4,2,-,-)`: a deep token of a segment, here the second of the second segment;
    /// `k_name=(2,-)`: a deep token of an argument's value.
    Deep {
        /// The segment or argument.
        part: Box<Key>,
        /// The position among its tokens.
        at: DeepAt,
    },
}

/// The position of a deep token, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeepAt {
    /// From the start.
    Start(u16),
    /// From the end.
    End(u16),
}

impl DeepAt {
    /// The position among `tokens` tokens, if there is one.
    pub fn of(self, tokens: usize) -> Option<usize> {
        match self {
            Self::Start(place) => Some(usize::from(place)).filter(|place| *place < tokens),
            Self::End(place) => tokens.checked_sub(usize::from(place) + 1),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme => f.write_str("k(1,-)"),
            Self::Host => f.write_str("k(2,-)"),
            Self::Start(place) => write!(f, "k({},-)", place + 3),
            Self::End(place) => write!(f, "k(-,{})", place + 1),
            Self::Argument { name, nth, bare } => {
                write!(f, "k_{name}")?;
                f.write_str(if *bare { "#bare" } else { "" })?;
                if *nth > 0 { write!(f, "#{}", nth + 1) } else { Ok(()) }
            }
            Self::Deep { part, at } => {
                let (from_start, from_end) = match at {
                    DeepAt::Start(place) => ((place + 1).to_string(), "-".to_owned()),
                    DeepAt::End(place) => ("-".to_owned(), (place + 1).to_string()),
                };
                match &**part {
                    Self::Start(place) => write!(f, "k({},{from_start},-,{from_end})", place + 3),
                    Self::End(place) => write!(f, "k(-,{from_start},{},{from_end})", place + 1),
                    part => write!(f, "{part}=({from_start},{from_end})"),
                }
            }
        }
    }
}

impl std::str::FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let key = match text.strip_prefix("k_") {
            Some(argument) => argument_key(argument),
            None => text
                .strip_prefix("k(")
                .and_then(|rest| rest.strip_suffix(')'))
                .and_then(|places| place_key(&places.split(',').collect::<Vec<_>>())),
        };
        key.ok_or_else(|| {
            format!("`{text}` is not a key; keys look like k(3,-), k(-,1), k(3,2,-,-) or k_name")
        })
    }
}

fn argument_key(text: &str) -> Option<Key> {
    // The name of an argument contains neither `=` nor `#`.
    if let Some((part, places)) = text.split_once('=') {
        let places = places.strip_prefix('(')?.strip_suffix(')')?;
        let (from_start, from_end) = places.split_once(',')?;
        let part = Box::new(argument_key(part)?);
        return Some(Key::Deep { part, at: deep_at(from_start, from_end)? });
    }
    let mut pieces = text.split('#').peekable();
    let name = pieces.next()?.to_owned();
    let bare = pieces.next_if_eq(&"bare").is_some();
    let nth = match pieces.next() {
        Some(number) => number.parse::<u16>().ok()?.checked_sub(1).filter(|nth| *nth > 0)?,
        None => 0,
    };
    pieces.next().is_none().then_some(Key::Argument { name, nth, bare })
}

fn place_key(places: &[&str]) -> Option<Key> {
    let number = |text: &str, least: u16| text.parse::<u16>().ok()?.checked_sub(least);
    match *places {
        ["1", "-"] => Some(Key::Scheme),
        ["2", "-"] => Some(Key::Host),
        [from_start, "-"] => number(from_start, 3).filter(below_max).map(Key::Start),
        ["-", from_end] => number(from_end, 1).filter(below_max).map(Key::End),
        [x, i, y, j] => {
            let part = match (x, y) {
                (x, "-") => number(x, 3).filter(below_max).map(Key::Start)?,
                ("-", y) => number(y, 1).filter(below_max).map(Key::End)?,
                _ => return None,
            };
            Some(Key::Deep { part: Box::new(part), at: deep_at(i, j)? })
        }
        _ => None,
    }
}

/// The notation adds up to 3 to a position; this must not overflow.
fn below_max(place: &u16) -> bool {
    *place <= u16::MAX - 3
}

fn deep_at(from_start: &str, from_end: &str) -> Option<DeepAt> {
    let number = |text: &str| text.parse::<u16>().ok()?.checked_sub(1);
    match (from_start, from_end) {
        (place, "-") => number(place).map(DeepAt::Start),
        ("-", place) => number(place).map(DeepAt::End),
        _ => None,
    }
}

impl serde::Serialize for Key {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nonsense_is_no_key() {
        for text in [
            "",
            "k",
            "k()",
            "k(0,-)",
            "k(-,0)",
            "k(3)",
            "k(3,4)",
            "k(99999,-)",
            "k_a#1",
            "k_a#x",
            "k_a=()",
        ] {
            assert!(text.parse::<Key>().is_err(), "{text}");
        }
    }

    fn any_key() -> impl Strategy<Value = Key> {
        let place = 0..=u16::MAX - 3;
        let part =
            prop_oneof![
                place.clone().prop_map(Key::Start),
                place.prop_map(Key::End),
                ("[^=#&;]{0,8}", 0..9u16, any::<bool>())
                    .prop_map(|(name, nth, bare)| Key::Argument { name, nth, bare }),
            ];
        let deep = (part.clone(), 0..9u16, any::<bool>()).prop_map(|(part, place, from_start)| {
            let at = if from_start { DeepAt::Start(place) } else { DeepAt::End(place) };
            Key::Deep { part: Box::new(part), at }
        });
        prop_oneof![Just(Key::Scheme), Just(Key::Host), part, deep]
    }

    proptest! {
        #[test]
        fn the_notation_of_a_key_is_read_back(key in any_key()) {
            prop_assert_eq!(key.to_string().parse(), Ok(key));
        }
    }

    #[test]
    fn deep_tokens_are_counted_from_either_end() {
        let places = |at: DeepAt| [0, 1, 2, 3].map(|tokens| at.of(tokens));
        assert_eq!(places(DeepAt::Start(1)), [None, None, Some(1), Some(1)]);
        assert_eq!(places(DeepAt::End(1)), [None, None, Some(0), Some(1)]);
    }
}
