//! In the crawl: which URLs are fetched, while the site is learned from what comes back.
//!
//! A crawler asks [`decide`](Live::decide) of each URL that leaves its queue, and tells what came
//! back. The engine learns the site whenever its fetched pages have grown enough, probes what
//! nobody has proven on the crawl itself, and measures what its skips lose.
//!
//! ```text
//!  a URL ─► the model's form ─► its group shows one page? ──► loss small, budget left? ─► skip, or audit
//!               │                                    ▲                  │ no
//!               └─► proposed forms: their groups ────┘                  └─► fetch, which is a probe
//!  a page ─► its cluster ─► a test of every form that its URL has ─► classes of hypotheses
//! ```
//!
//! | module | what goes in and comes out |
//! |---|---|
//! | `labels` | pages that come → clusters |
//! | `propose` | a URL → forms that nobody has proven |
//! | `evidence`, `classes` | fetched pages, and what other sites showed → groups, and how often hypotheses of a class are wrong |
//! | [`audit`] | skips that are fetched all the same → a bound of what skips lose |
//! | `ban` | pages → whether the site, or a folder, answers everything with one |
//! | `spent` | skips → what they may have lost, at today's prices |
//! | `shared`, `votes` | sites of one state → what tests showed on the others; what a site may spend beyond its budget |
//! | `index`, `memory` | keys that are kept elsewhere → numbers; tables → bytes |
//! | `folder`, `secret` | a URL → its first folder; what nobody may foresee → numbers and hashes |
//! | `learning`, `kept_model` | fetched pages → a model, kept on disk, and who else proposes |
//! | `explain` | a URL → what is known of its forms |
//! | `site` | a URL → a decision; a response → evidence |
//! | `live`, `journal` | events of many sites → decisions, kept on disk |
//! | [`replay`] | a crawl → what the engine would have fetched and found |

pub mod audit;
mod ban;
mod classes;
mod compact;
mod decision;
mod evidence;
mod explain;
mod folder;
mod index;
mod journal;
mod kept_model;
mod labels;
mod learning;
mod live;
mod lock;
mod memory;
mod options;
mod propose;
pub mod replay;
mod secret;
mod shared;
mod site;
mod spent;
#[cfg(test)]
mod tests;
mod votes;

pub use self::decision::{DecidedUrl, Decision, SiteStats};
pub use self::evidence::Hypotheses;
pub use self::explain::{FormEvidence, UrlExplanation};
pub use self::learning::{AutoLearner, Keeping, Learn, NoLearner};
pub use self::live::{Live, LiveTotals};
pub use self::options::EngineOptions;
pub use self::propose::{AnyHost, Deletions, Kind, OnePage, Proposals, Propose, Unproven};
pub use self::shared::Shared;
