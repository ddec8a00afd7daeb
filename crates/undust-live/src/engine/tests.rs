//! Whole crawls of made-up sites, by what must hold of them.

mod authors;
mod banned_kind;
mod bounded;
mod not_found;
mod rare_difference;
mod small_sites;
mod soak;
mod sparse_grid;
mod traps;
