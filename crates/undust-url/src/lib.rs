//! URLs, from the outside in. It knows nothing of crawls, clusters or methods.
//!
//! | module | what it gives |
//! |---|---|
//! | [`normal`](mod@normal) | the normal form of RFC 3986, before every method |
//! | [`site`] | the site that a URL belongs to |
//! | [`tokens`], [`template`] | for the translator: lossless tokens, and what is left without the arguments |
//! | [`pieces`], [`lexicon`] | for edits: every delimiter a piece of its own, and shapes of known words |
//! | [`query`] | the arguments of a query |
//! | [`keyed_url`], [`keys`] | for rules: keys and values |
//! | [`deep`] | the pieces of a value, by the conventions of one host |
//! | [`frequency`] | document frequencies of tokens |
//! | [`copied`] | values copied to where their characters mean something else |
//! | [`last_shape`], [`text_index`] | shapes of URLs that follow one another, and look-up of short texts |
//!
//! A URL is cut in as many ways as the papers need, and each is defined once:
//!
//! | cut | by | for |
//! |---|---|---|
//! | tokens ([`tokens`]) | `/ ? = & # ; . ,` | encoder-decoder (SIGIR 2017, 2.1) |
//! | pieces ([`pieces`]) | every delimiter, and a number at the end of a word | edits and tagger: each may be deleted or inserted by itself |
//! | keys ([`keyed_url`]) | segments by place, arguments by name | rewrite rules (KDD 2008), decision trees (WSDM 2010, 3) |
//! | deep tokens ([`deep`]) | runs of letters or digits in a value, by host | decision trees (WSDM 2010, 3.1.2) |
//! | arguments ([`query`]) | `&` and `;` | all that reads a query: keys, conventions, checks of copied values |
//! | tokens of DUSTER (`undust-model`: `rules::duster`) | runs of letters, runs of digits, single marks | TKDE 2015 |
//! | tokens of DustBuster (`undust-model`: `rules::dustbuster`) | runs of letters and digits, every other character alone | WWW 2007 |
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
