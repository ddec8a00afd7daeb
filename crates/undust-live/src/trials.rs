//! Nothing learned once stays true. A share of the URLs that a model would skip is fetched all the
//! same; what comes back counts for or against the operations that would have skipped them, and one
//! that fails a sequential test is switched off until the next training.
//!
//! ```text
//! a URL that changes form ─► draw: fetched all the same? ─► a crawler ─► observations ─► trials.json
//!                                                          a crawl ─► crawl ─┘    └─► disabled.json ─► the model without it
//! ```
//!
//! An operation is what [`drift`](undust_learn::drift) tests: a rule, an accepted edit, a pair of a
//! network's templates, or a step by which a URL is written as its site writes it.

pub mod crawl;
pub mod observe;
mod saved;
mod trial;
