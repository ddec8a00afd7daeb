//! Edits of URLs: their language, where they come from, and what applies them.

pub(crate) mod accepted;
pub(crate) mod afford;
pub(crate) mod apply;
mod cut;
pub(crate) mod diff;
pub(crate) mod edit;
pub(crate) mod editor;
pub(crate) mod fold;
pub(crate) mod halves;
pub(crate) mod index;
pub(crate) mod known;
pub(crate) mod literals;
pub(crate) mod marks;
pub(crate) mod only;
mod pattern;
pub(crate) mod propose;
pub(crate) mod refused;
pub(crate) mod rows;
mod saved;
pub(crate) mod scope;
pub(crate) mod sequence;
mod spell;
mod widen;
