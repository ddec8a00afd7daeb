//! **undust** learns, for one web site, which of its URLs show the same page (DUST: different
//! URLs with similar text), and turns any URL of the site into its canonical form without
//! fetching it.

mod crawl_sites;

pub use crawl_sites::*;
