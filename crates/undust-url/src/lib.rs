//! URLs, from the outside in. It knows nothing of crawls, clusters or methods.
//!
//! | module | what it gives |
//! |---|---|
//! | [`normal`](mod@normal) | the normal form of RFC 3986, before every method |
//! | [`site`] | the site that a URL belongs to |
//! | [`tokens`], [`template`] | for the translator: lossless tokens, and what is left without the arguments |
//! | [`pieces`], [`lexicon`] | for edits: every delimiter a piece of its own, and shapes of known words |
//! | [`keyed_url`], [`keys`] | for rules: keys and values |
//! | [`deep`] | the pieces of a value, by the conventions of one host |
//! | [`frequency`] | document frequencies of tokens |
//! | [`copied`] | values copied to where their characters mean something else |
//! | [`last_shape`], [`text_index`] | shapes of URLs that follow one another, and look-up of short texts |
//!
//! ```
//! use undust_url::{SiteBy, normal, site_of};
//!
//! assert_eq!(normal("HTTP://www.A.test:80/x/../story?id=7#top"), "http://www.a.test/story?id=7");
//! assert_eq!(site_of("http://www.a.test/story", SiteBy::Host).as_deref(), Some("a.test"));
//! ```

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

pub use lexicon::Lexicon;
pub use normal::normal;
pub use site::{SiteBy, site_of};
pub use template::Vocabulary;
pub use tokens::Token;
