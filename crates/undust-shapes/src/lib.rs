//! Which patterns of URLs a site has, how they grow, and which of their arguments makes them grow. Some patterns grow
//! without an end and show nothing new: facets in any combination, a calendar of all years, a session in each link.
//!
//! ```text
//! responses ─► requests ─► traps ─────► patterns ─► counts ─► report ─► a policy for nginx, robots.txt, …
//!              by URL      what grows  of all
//!              (a sample   without     other URLs
//!              of many)    an end
//! ```
//!
//! The input is a crawl, whose pages are known, or an access log, which says nothing about pages.
//!
//! ```
//! use undust_pages::Response;
//! use undust_shapes::{Requests, ShapesReport};
//!
//! let mut requests = Requests::default();
//! for page in 1..=100 {
//!     for sort in ["date", "name", "size"] {
//!         let url = format!("http://a.test/list/{page}?sort={sort}");
//!         requests.push(&Response { url, status: 200, ..Response::default() });
//!     }
//! }
//! let report = ShapesReport::of(&requests, None);
//! let worst = &report.patterns[0];
//! assert_eq!((worst.pattern.as_str(), worst.urls), ("/list/{number}?sort", 300));
//! let cause = worst.cause.as_ref().unwrap();
//! assert_eq!((cause.argument.as_str(), cause.values, cause.urls_without), ("sort", 3, 100));
//! ```

#![deny(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

mod arguments;
mod cause;
mod group;
mod growth;
mod label;
mod names;
mod paths;
mod pattern;
mod policy;
mod report;
mod requests;
mod rule;
mod time;
mod trap;

pub use cause::{Cause, CausePages};
pub use policy::{Met, Policy, RuleFormat, rules};
pub use report::{
    Form, Forms, ModelEdit, ModelForms, PageCounts, PatternReport, People, ShapesReport, ShownBy,
    Suggestion,
};
pub use requests::Requests;

#[cfg(test)]
mod tests;
