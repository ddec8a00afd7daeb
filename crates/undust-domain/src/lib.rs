//! The registrable domain of a host, by the public suffix list that `psl` compiles in.
//!
//! `psl` is some 1,300 generic functions, which every crate that calls them compiles again. This
//! crate calls them from one function without type parameters, so that they are compiled once.

/// The registrable domain of a host in lower case: `example.co.uk` of `www.example.co.uk`. None where
/// the host is a public suffix itself. Private suffixes count: `ann.github.io` is a domain.
///
/// ```
/// assert_eq!(undust_domain::registrable("www.example.co.uk"), Some("example.co.uk"));
/// assert_eq!(undust_domain::registrable("co.uk"), None);
/// ```
pub fn registrable(host: &str) -> Option<&str> {
    psl::domain_str(host)
}
