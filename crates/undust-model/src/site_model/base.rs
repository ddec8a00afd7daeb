//! The base network: a model for the URLs of sites that have none.

use std::path::Path;

use serde_json::Value;
use undust_url::tokens::authority;
use undust_util::error::{Error, ModelReason, Result};

use super::{SiteModel, SiteScope};
use crate::folder::files::load;
use crate::folder::info::TrainingRecord;
use crate::learned::Learned;
use crate::translation::{How, Reason, Translation};

impl SiteModel {
    /// The name of the base network, of its folder and of the method that makes it. No site has it.
    pub const BASE: &str = "base";

    /// What was learned of many sites, ready to serve and to be saved. `settings` are kept as a
    /// record of the training.
    pub fn base(settings: Value, learned: Learned) -> Self {
        let Learned { model, report, conventions } = learned;
        let record = Some(Box::new(TrainingRecord { config: settings, report }));
        Self { record, ..Self::new(Self::BASE, conventions, model, SiteScope::OwnHost) }
    }

    /// Loads a base network, the folder that `undust pretrain` made.
    ///
    /// # Errors
    ///
    /// No such folder, a folder of another format, a damaged file, the model of one site.
    pub fn load_base(place: impl AsRef<Path>) -> Result<Self> {
        let place = place.as_ref();
        let (info, conventions, model) = load(place)?;
        if info.method != Self::BASE {
            let reason = ModelReason::NoBase { site: info.site };
            return Err(Error::Model { path: place.to_path_buf(), reason });
        }
        let record = info.record().map(Box::new);
        Ok(Self { record, ..Self::new(Self::BASE, conventions, model, SiteScope::OwnHost) })
    }

    /// Whether it is the base network.
    pub fn is_base(&self) -> bool {
        matches!(self.scope, SiteScope::OwnHost)
    }
}

/// An answer of the base network. No path may begin with two slashes that did not before: a redirect
/// to such a path leads to another host.
pub(super) fn guarded<'u>(url: &'u str, translation: Translation<'u>) -> Translation<'u> {
    let leads_away = |url: &str| {
        let path = &url[authority(url).end..];
        path.starts_with("//") || path.starts_with("/\\")
    };
    if leads_away(&translation.canonical) && !leads_away(url) {
        return translation.refused(url, Reason::OtherSite);
    }
    match translation.how {
        How::Network | How::Cache => Translation { how: How::BaseNetwork, ..translation },
        _ => translation,
    }
}
