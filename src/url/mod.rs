//! The inside of a URL, in two views. For networks: lossless [tokens](tokens::Token), and the
//! [template](template::Vocabulary) left when the arguments are taken out. For rules:
//! [keys and values](keyed_url::KeyedUrl), and the [deep tokens](deep::pattern::DeepPattern)
//! of a value. Knows nothing of crawls, clusters or methods.

pub mod deep;
pub mod frequency;
pub mod keyed_url;
pub mod keys;
pub mod template;
pub mod tokens;

// for rules/, goes when it names the real path
pub(crate) use deep::DeepTokenizer;
// for rules/, goes when it names the real path
pub(crate) use deep::pattern::DeepPattern;
// for rules/, goes when it names the real path
pub(crate) use deep::sample::DeepSample;
// for rules/, goes when it names the real path
pub(crate) use keyed_url::{Argument, KeyedUrl};
// for rules/, goes when it names the real path
pub(crate) use keys::{DeepAt, Key};
// for rules/, goes when it names the real path
pub(crate) use tokens::Delimiters;
