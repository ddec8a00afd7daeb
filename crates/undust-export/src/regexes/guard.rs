//! What every rule asks of an address first: that it is no longer than rules are tried on, and in normal form.
//!
//! Each question reads the address once. A repetition repeats one class of characters and no group: for each turn of a
//! group Java calls itself, until its stack overflows, and two repetitions that may share a text take the square of
//! its length.

/// The longest path with its query, in bytes, that rules change. Longer ones pass unchanged.
pub(crate) const LONGEST_ADDRESS: usize = 2000;

/// A character of a path in normal form, but those at which it could be taken for a query.
const PATH: &str = "[!$%'()*+,./0-9:@A-Z_a-z~-]";
/// A character of a query in normal form.
const QUERY: &str = "[!$%&;'()*+,./0-9:=@A-Z_a-z~-]";
/// What follows the `%` of an escape that the normal form leaves alone.
const ESCAPE: &str = "(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|5[B-E]|7[B-DF])";
/// Escapes in a path on which servers do not agree.
const SLASHES: &str = "%(?:2F|5C)";

/// That an address is short enough, as the first question of a rule.
pub(crate) fn length() -> String {
    format!("(?=.{{1,{LONGEST_ADDRESS}}}$)")
}

/// That it is in normal form: a path without empty, `.` and `..` segments, at most one `?`, no escape that means
/// itself.
pub(super) fn normal_form() -> String {
    format!(
        "(?=/{PATH}*(?:\\?{QUERY}+)?$)(?![^?]*/(?:/|\\.\\.?(?:[/?]|$)))(?!.*%(?!{ESCAPE}))(?![^?]*{SLASHES})"
    )
}
