//! Serving: a saved model in, the canonical URL of any URL of its site out.
//!
//! | module | what it gives |
//! |---|---|
//! | [`registry`] | the models of many sites in a folder, found by URL: what a program serves from |
//! | [`site_model`] | the model of one site, and the checks of its answers |
//! | [`model`] | what a method learned: rules, edits or a network |
//! | `normalize` | a URL on its way to a method and back: [conventions](undust_edits::conventions) first |
//! | [`undust_rules`], [`undust_decoder`], [`undust_edits`] | three kinds of models as data, and their application |
//! | [`translation`] | what every model answers: the canonical URL, how it was found, and why |
//! | [`queue`] | lines of URLs in, lines of canonical URLs out, on all cores |
//! | [`explain`] | every step from a URL to its canonical URL, and what was refused |
//! | [`folder`] | a model on disk: written at once, checked when it is read |
//! | [`pack`] | the models of many sites in one file |
//! | [`operation`] | what is known of an operation |
//!
//! It depends on no learner, no reader of crawls and not on burn.
//!
//! In names of the code, a *form* is what a model makes of a URL: its canonical URL, or a key that
//! nobody can fetch.
//!
//! ```
//! use undust_rules::store::parse;
//! use undust_model::model::Model;
//! use undust_model::translation::Rewriter;
//!
//! // What `rules.json` of a model folder says: the argument `v` does not matter.
//! let rules = br#"{"method": "tree", "rules": [{"rule": {"keys": {
//!     "context": {"keys": {"k_v": "any"}},
//!     "transformation": {"k_v": []}
//! }}}]}"#;
//! let model = Model::Rules(parse(rules, "tree")?);
//! assert_eq!(model.rewrite("http://a.test/1?v=2").canonical, "http://a.test/1");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

pub mod error;
pub mod explain;
mod file_state;
pub mod folder;
pub mod model;
mod normalize;
pub mod operation;
pub mod pack;
pub mod queue;
pub mod registry;
pub mod site_model;
pub mod translation;

#[cfg(test)]
mod tests {
    mod cost;
}
