//! CSV as RFC 4180 has it.

/// A field. One that a spreadsheet would compute is kept a text; a number is none.
pub fn quoted(field: &str) -> String {
    let is_formula =
        field.starts_with(['=', '+', '-', '@', '\t', '\r']) && field.parse::<f64>().is_err();
    let front = if is_formula { "'" } else { "" };
    if is_formula || field.contains([',', '"', '\n', '\r']) {
        format!("\"{front}{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(quoted("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!((quoted("-3"), quoted("-a")), ("-3".into(), "\"'-a\"".into()));
    }
}
