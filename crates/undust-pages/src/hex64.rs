//! 64 bits as the 16 hex digits of a manifest.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(bits: u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{bits:016x}"))
}

/// `what` names the value in the error.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
    what: &str,
) -> Result<u64, D::Error> {
    let hex = Cow::<'de, str>::deserialize(deserializer)?;
    let wrong = || D::Error::custom(format!("`{hex}` is not {what}, which has 16 hex digits"));
    parse(&hex).ok_or_else(wrong)
}

pub(crate) fn parse(hex: &str) -> Option<u64> {
    let is_whole = hex.len() == 16 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_whole.then(|| u64::from_str_radix(hex, 16).ok()).flatten()
}
