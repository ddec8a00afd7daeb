//! What several crates of [undust](https://crates.io/crates/undust) share: their one error type, and
//! small tools. It contains no code about URLs, crawls or models.
//!
//! | module | what it gives |
//! |---|---|
//! | [`error`] | the error type of all crates, and its reasons, one sentence for the user each |
//! | [`read_limited`] | reads a whole file, with a size limit |
//! | [`address`] | addresses that never show the secrets in them |
//! | [`atomic_file`] | files and folders that appear when they are complete |
//! | [`cache`] | what was found out once, for all threads and within a bound of memory |
//! | [`disk`] | the steps that change a disk, recorded in tests |
//! | [`json`] | JSON that a terminal can show |
//! | [`csv`] | fields of CSV |
//! | [`simd`] | loops as wide as the processor allows |
//! | [`plural`] | counts in words |
//! | [`op_counter`] | steps of loops, counted in tests |
//!
//! ```
//! use undust_util::plural::counted;
//!
//! assert_eq!(counted(1, "page"), "1 page");
//! assert_eq!(counted(2, "page"), "2 pages");
//! ```

pub mod address;
pub mod atomic_file;
pub mod cache;
pub mod csv;
pub mod disk;
pub mod error;
pub mod json;
pub mod op_counter;
pub mod plural;
pub mod read_limited;
pub mod simd;

pub use address::shown;
pub use error::{Error, Remedy, Result};
pub use plural::counted;
