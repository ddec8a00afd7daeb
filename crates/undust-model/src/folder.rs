//! A model on disk: `models/<site>/`.
//!
//! What was learned of a site comes in and becomes [`files`], which take their place all at once
//! ([`exchange`]). A folder that is loaded is checked: its format, its checksums ([`info`]),
//! and that what its files hold can be served. What is switched off until the next training is
//! [`OfModel`](crate::operation::OfModel); `pruning` writes a folder again without some of its operations. `sites` finds the folder for a URL among those of many sites, and `source` reads it wherever it is: on disk, or in a [pack](crate::pack).

pub(crate) mod bytes;
mod checksum;
pub mod exchange;
pub mod files;
pub mod info;
pub(crate) mod names;
mod of_model;
mod pruning;
pub(crate) mod sites;
pub(crate) mod source;
