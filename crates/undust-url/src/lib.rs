//! URLs and their parts. This crate knows nothing about crawls, clusters or methods.
//!
//! | module | what it gives |
//! |---|---|
//! | [`normal`](mod@normal) | the normal form of RFC 3986, applied before every method |
//! | [`site`] | the site that a URL belongs to |
//! | [`tokens`], [`template`] | for the paper's network: lossless tokens, and templates, which are URLs without their arguments |
//! | [`pieces`], [`lexicon`] | for edits and the pointer network: pieces, function words and shapes |
//! | [`query`] | the arguments of a query |
//! | [`keyed_url`], [`keys`] | for rules: keys and values |
//! | [`deep`] | deep tokens: the parts of a value, cut at the delimiters that its host uses |
//! | [`frequency`] | document frequencies of tokens |
//! | [`copied`] | whether a copied value keeps its meaning at its new position |
//! | [`last_shape`], [`text_index`] | the shape of a URL, read faster if the last URL was similar; look-up of short texts |
//!
//! The papers cut URLs in different ways. Each way is defined once:
//!
//! | cut | by | for |
//! |---|---|---|
//! | tokens ([`tokens`]) | `/ ? = & # ; . ,` | the paper's network (SIGIR 2017, 2.1) |
//! | pieces ([`pieces`]) | every delimiter, and a number at the end of a word | edits, pointer network: each may be deleted, inserted or copied by itself |
//! | keys ([`keyed_url`]) | segments by position, arguments by name | rewrite rules (KDD 2008), decision trees (WSDM 2010, 3) |
//! | deep tokens ([`deep`]) | runs of letters or digits in a value, by host | decision trees (WSDM 2010, 3.1.2) |
//! | arguments ([`query`]) | `&` and `;` | all code that reads a query: keys, conventions, checks of copied values |
//! | tokens of DUSTER (`undust-rules`: `duster`) | runs of letters, runs of digits, single marks | TKDE 2015 |
//! | tokens of DustBuster (`undust-rules`: `dustbuster`) | runs of letters and digits, every other character alone | WWW 2007 |
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
pub mod query;
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
