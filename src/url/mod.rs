//! Before every method: the [normal form](normal::normal) of a URL, and the way in which its site
//! [writes its URLs](usage::Usage). Then the inside of a URL, in two views. For networks: lossless [tokens](tokens::Token), and the
//! [template](template::Vocabulary) left when the arguments are taken out. For rules:
//! [keys and values](keyed_url::KeyedUrl), and the [deep tokens](deep::pattern::DeepPattern)
//! of a value. Knows nothing of crawls, clusters or methods.

pub(crate) mod copied;
pub(crate) mod deep;
pub(crate) mod frequency;
pub(crate) mod keyed_url;
pub(crate) mod keys;
pub(crate) mod last_shape;
pub(crate) mod lexicon;
pub(crate) mod normal;
pub(crate) mod pieces;
pub(crate) mod template;
pub(crate) mod text_index;
pub(crate) mod tokens;
mod traits;
pub(crate) mod usage;
