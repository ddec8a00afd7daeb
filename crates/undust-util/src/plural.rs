//! Counts in words.

use std::fmt::Display;

/// `1 line`, `2 lines`: what is counted, in as many as there are.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    let ending = match what {
        _ if count == N::from(1) => "",
        _ if what.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {what}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        let described = [0, 1, 2].map(|count: u64| counted(count, "line"));
        assert_eq!(described, ["0 lines", "1 line", "2 lines"]);
        assert_eq!(
            (counted(1, "fetch"), counted(-3, "fetch")),
            ("1 fetch".into(), "-3 fetches".into())
        );
    }
}
