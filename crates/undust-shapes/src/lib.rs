//! Which patterns of URLs a site has, how they grow, and which of their arguments makes them grow. Some patterns grow
//! without an end and show nothing new: facets in any combination, a calendar of all years, a session in each link.
//!
//! ```text
//! responses ─► requests ─► patterns ─► counts, growth, cause ─► report ─► a policy for nginx, robots.txt
//!              by URL      of paths    of each pattern
//!              (a sample    and names
//!              of many)
//! ```
//!
//! The input is a crawl, whose pages are known, or an access log, which says nothing about pages.
//!
//! ```
//! use undust_pages::Response;
//! use undust_shapes::{Requests, ShapesReport};
//!
//! let mut requests = Requests::new();
//! for day in 1..=28 {
//!     for sort in ["date", "name"] {
//!         let url = format!("http://a.test/calendar/{day}?sort={sort}");
//!         requests.push(&Response { url, status: 200, ..Response::default() });
//!     }
//! }
//! let report = ShapesReport::of(&requests, None);
//! let worst = &report.patterns[0];
//! assert_eq!((worst.pattern.as_str(), worst.urls), ("/calendar/{number}?sort", 56));
//! let cause = worst.cause.as_ref().unwrap();
//! assert_eq!((cause.argument.as_str(), cause.values, cause.urls_without), ("sort", 2, 28));
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
