//! TODO(doc): crate.

mod cache;
pub mod conventions;
#[cfg(test)]
mod cost;
pub mod edits;
pub mod evidence;
pub mod explain;
pub mod folder;
pub mod model;
pub mod networks;
pub mod normalize;
pub mod part;
pub mod queue;
pub mod registry;
pub mod report;
pub mod rules;
pub mod site_model;
pub mod translation;
