//! Edits and URL conventions as data, and their application: what learning accepts of a site, and serving applies to
//! its URLs. It reads no file, and knows neither learning nor the other kinds of models.
//!
//! | module | what it gives |
//! |---|---|
//! | [`edit`], [`replacement`], [`literals`], [`spell`] | an edit: it changes the shape of a URL and copies every argument that it keeps |
//! | [`scope`], [`restriction`], [`known_values`] | where an edit holds |
//! | [`accepted`], [`refused`], [`edit_evidence`], [`shrinkage`], [`gate_record`] | what the gate says of an edit, and why |
//! | [`program`], [`apply`], [`sequence`], [`index`] | edits at work on a shape |
//! | [`diff`], [`cut`], [`fold`] | edits of differences between URLs, edits of cut values, and lists of words that hash alike |
//! | [`edit_list`] | the edits of a site as training makes them and `gate.json` holds them |
//! | [`editor`] | accepted edits at work: a URL comes in, its form goes out |
//! | [`conventions`] | a URL as its site writes it, before a method sees it |
//! | [`translation`] | what becomes of a URL, how it was found, and why; when an answer counts |

pub mod accepted;
pub mod apply;
pub mod conventions;
pub mod cut;
pub mod diff;
pub mod edit;
pub mod edit_evidence;
pub mod edit_list;
pub mod editor;
pub mod error;
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
pub mod shrinkage;
pub mod spell;
pub mod translation;
