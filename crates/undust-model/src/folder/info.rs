//! `model.json`: what a folder holds.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128;

use undust_url::frequency::DfMode;
use undust_url::site::SiteBy;

use super::bytes;
use super::names::MODEL;
use super::source::Source;
use crate::error::{Error, ModelReason, Result};
use crate::model::ModelKind;
use undust_decoder::decode::DecodingOptions;
use undust_decoder::pointer::PointerOptions;
use undust_decoder::pointer::weights::PointerSizes;
use undust_decoder::translator_weights::TranslatorSizes;

/// Version of the folder's format. Others are refused.
pub const FORMAT: u32 = 5;

/// What loading a model needs, and a record of how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of undust that wrote it.
    pub undust: String,
    /// The site's name, which is the folder's.
    pub site: String,
    /// What the name means.
    pub site_by: SiteBy,
    /// What kind of model it is.
    pub kind: ModelKind,
    /// The method that learned it.
    pub method: String,
    /// What its network needs, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) network: Option<NetworkInfo>,
    /// What its pointer network needs, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pointer: Option<PointerInfo>,
    /// XXH3, 128 bits, of the folder's other files, but of `rules.json` and `gate.json`, which may be
    /// edited.
    #[serde(rename = "xxh3")]
    pub checksums: BTreeMap<String, String>,
    /// How it came about: settings and report. Nothing depends on it, so that a renamed setting
    /// makes no old model unreadable.
    #[serde(default)]
    pub record: Value,
}

/// What a network needs in addition to its weights and its vocabulary's spellings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NetworkInfo {
    /// Sizes of the network.
    #[serde(flatten)]
    pub shape: TranslatorSizes,
    /// How many of the vocabulary's last symbols are literals.
    pub literals: usize,
    /// Characters that cut URLs in addition to those that always do.
    pub extra_delimiters: String,
    /// How names in the query are counted.
    pub df: DfMode,
    /// How it decodes.
    pub decoding: DecodingOptions,
}

/// What a pointer network needs in addition to its weights, function words and phrases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PointerInfo {
    /// Sizes of the network.
    #[serde(flatten)]
    pub sizes: PointerSizes,
    /// How it is used.
    #[serde(flatten)]
    pub options: PointerOptions,
}

impl ModelInfo {
    /// Of a model that was just learned and has no files yet. `record` is what training says of itself: its settings
    /// and how it went.
    pub fn new((site, site_by): (&str, SiteBy), method: &str, record: Value) -> Self {
        Self {
            format: FORMAT,
            undust: env!("CARGO_PKG_VERSION").into(),
            site: site.into(),
            site_by,
            kind: ModelKind::Identity,
            method: method.into(),
            network: None,
            pointer: None,
            checksums: BTreeMap::new(),
            record,
        }
    }

    /// The pages that it was learned from and their duplicate clusters, as far as they are known.
    pub fn counts(&self) -> (Option<usize>, Option<usize>) {
        let count = |what: &str| {
            let count = self.record.get("report")?.get(what)?.as_u64()?;
            usize::try_from(count).ok()
        };
        (count("pages"), count("clusters").filter(|clusters| *clusters > 0))
    }

    /// Reads and checks `model.json` of a folder, or of a model in a pack.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, is of another format, or describes no model.
    pub fn read(folder: &Path) -> Result<Self> {
        Self::of(&Source::at(folder)?)
    }

    /// [`Self::read`] for any source.
    pub(crate) fn of(source: &Source) -> Result<Self> {
        let path = source.path().join(MODEL);
        let no_description = |source| Error::at(&path, ModelReason::Description { source });
        let bytes = source.read(MODEL)?;
        let json: Value = serde_json::from_slice(&bytes).map_err(no_description)?;
        match json.get("format").and_then(Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(found) => {
                let method = json.get("method").and_then(Value::as_str).map(str::to_owned);
                return Err(Error::at(
                    &path,
                    ModelReason::OtherFormat { found, expected: FORMAT, method },
                ));
            }
            None => return Err(Error::at(&path, ModelReason::NoFormat)),
        }
        let info: Self = serde_json::from_value(json).map_err(no_description)?;
        let impossible = info.network.as_ref().is_some_and(|network| !network.shape.is_usable())
            || info.pointer.as_ref().is_some_and(|pointer| !pointer.sizes.is_usable());
        if impossible {
            return Err(Error::at(&path, ModelReason::ImpossibleSize));
        }
        if info.pointer.as_ref().is_some_and(|pointer| !pointer.options.is_usable()) {
            return Err(Error::at(&path, ModelReason::NoProbability));
        }
        Ok(info)
    }
}

/// The XXH3 of `bytes`, 128 bits in hexadecimal, as `xxhsum -H2` prints it: it detects damage, and files of another
/// model, but not malice.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

/// The one field that look-ups need.
#[derive(Deserialize)]
struct SiteByField {
    site_by: SiteBy,
}

/// What the site's name means, if the file says so.
pub(crate) fn site_by(folder: &Path) -> Option<SiteBy> {
    site_by_in(&bytes::read(&folder.join(MODEL)).ok()?)
}

/// The same of what the file holds.
pub(crate) fn site_by_in(json: &[u8]) -> Option<SiteBy> {
    serde_json::from_slice::<SiteByField>(json).ok().map(|scope| scope.site_by)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `xxhsum -H2` says: folders keep these.
    #[test]
    fn checksums_stay_what_they_are() {
        assert_eq!(checksum(b""), "99aa06d3014798d86001c324468d497f");
        assert_eq!(checksum(b"abc"), "06b05ab6733a618578af5f94892f3950");
    }
}
