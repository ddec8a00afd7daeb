//! The arguments of a URL: those of its query, and the parameters of its path (`;jsessionid=…`).

use std::borrow::Cow;

use undust_url::query::{arguments, path_and_query};

/// Most arguments of a URL that are distinguished.
const MOST_ARGUMENTS: usize = 64;

/// Calls `each` with the name and the value of each argument, in order. Numbers in a name are `#`, so that `f[0]` and
/// `f[1]` are one name; the name of a parameter of the path begins with `;`. An argument without `=` is its own name.
pub(crate) fn each_argument<'u>(url: &'u str, mut each: impl FnMut(Cow<'u, str>, &'u str)) {
    let (path, query) = path_and_query(url);
    let in_path = path.split('/').filter_map(|segment| segment.split_once(';'));
    let in_path = in_path.flat_map(|(_, parameters)| arguments(parameters));
    let mut in_path = in_path.take(MOST_ARGUMENTS).filter(|argument| !argument.text.is_empty());
    in_path.by_ref().for_each(|argument| {
        each(Cow::Owned(format!(";{}", without_numbers(argument.key()))), argument.text);
    });
    let in_query = arguments(query).take(MOST_ARGUMENTS);
    for argument in in_query.filter(|argument| !argument.text.is_empty()) {
        each(without_numbers(argument.key()), argument.value().unwrap_or(argument.text));
    }
}

/// A name with `#` for each number in it, but for escapes.
fn without_numbers(name: &str) -> Cow<'_, str> {
    if !name.bytes().any(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    let mut made = String::with_capacity(name.len());
    let mut letters = name.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '%' => made.extend(std::iter::once('%').chain(letters.by_ref().take(2))),
            _ if !letter.is_ascii_digit() => made.push(letter),
            _ if made.ends_with('#') => {}
            _ => made.push('#'),
        }
    }
    Cow::Owned(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_those_of_the_query_and_of_the_path() {
        let mut all = Vec::new();
        let url = "http://a.test/x;s=1;t/y?f[0]=a&f%5B12%5D=b&&12&q";
        each_argument(url, |name, value| all.push((name.into_owned(), value)));
        let expected =
            [(";s", "s=1"), (";t", "t"), ("f[#]", "a"), ("f%5B#%5D", "b"), ("#", "12"), ("q", "q")];
        assert_eq!(all, expected.map(|(name, value)| (name.to_owned(), value)));
    }
}
