//! Edits as data, and their application: what the gate accepts, and serving applies.
//!
//! An [`Edit`](edit::Edit) changes the shape of a URL and copies every argument that it keeps. An
//! [accepted](accepted::AcceptedEdit) edit has a [`scope`] and a [`restriction`] in which it holds;
//! a [`RefusedEdit`](refused::RefusedEdit) one has the reason. The [`Editor`](editor::Editor) applies the
//! accepted ones: a URL comes in, its form goes out.

pub mod accepted;
pub mod apply;
pub mod cut;
pub mod diff;
pub mod edit;
pub mod editor;
pub mod fold;
pub mod gate_record;
pub mod index;
pub mod known_values;
pub mod literals;
mod pattern;
pub mod program;
pub mod refused;
pub mod replacement;
pub mod restriction;
mod saved;
pub mod scope;
mod scope_words;
pub mod sequence;
pub mod spell;
