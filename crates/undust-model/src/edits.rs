//! Edits of URLs: their language, where they come from, and what applies them.

pub mod accepted;
pub mod apply;
pub mod cross_fit;
pub mod cut;
pub mod diff;
pub mod edit;
pub mod editor;
pub mod fold;
pub mod index;
pub mod known;
pub mod known_values;
pub mod literals;
mod pattern;
pub mod refused;
pub mod restriction;
mod saved;
pub mod scope;
pub mod sequence;
pub mod spell;
