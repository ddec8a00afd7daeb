//! The duplicate clusters of sites that are too large for one task, in the steps of
//! `undust::cluster::distributed`. Each takes the rows of a task and gives those of the next step.

mod buckets;
mod graph;
mod nodes;

pub(crate) use self::buckets::{bucket_entries, page_links};
pub(crate) use self::graph::SiteClusters;
pub(crate) use self::nodes::url_nodes;

/// What a URL shows, in the column `outcome`.
const NOTHING: i32 = 0;
const PAGE: i32 = 1;
const REDIRECT: i32 = 2;
