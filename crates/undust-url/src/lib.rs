//! Before every method: the [normal form](normal::normal) of a URL, and the way in which its site
//! [writes its URLs](usage::Usage). Then the inside of a URL, in two views. For networks: lossless [tokens](tokens::Token), and the
//! [template](template::Vocabulary) left when the arguments are taken out. For rules:
//! [keys and values](keyed_url::KeyedUrl), and the [deep tokens](deep::pattern::DeepPattern)
//! of a value. Knows nothing of crawls, clusters or methods.

pub mod copied;
pub mod deep;
pub mod frequency;
pub mod keyed_url;
pub mod keys;
pub mod last_shape;
pub mod lexicon;
pub mod normal;
pub mod pieces;
pub mod site;
pub mod template;
pub mod text_index;
pub mod tokens;
mod traits;
