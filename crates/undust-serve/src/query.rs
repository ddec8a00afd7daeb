//! What stands behind the `?` of a request, and which format of the answer it asks for.

use std::borrow::Cow;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;
use percent_encoding::percent_decode;

use super::failure::Failure;

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerFormat {
    /// To read, and for lines.
    Text,
    /// One value.
    Json,
    /// One object a line.
    JsonLines,
}

impl AnswerFormat {
    /// The first that a header `Accept` names; text without any.
    pub(super) fn accepted(headers: &HeaderMap) -> Self {
        let Some(Ok(accept)) = headers.get(ACCEPT).map(|accept| accept.to_str()) else {
            return Self::Text;
        };
        let format = |range: &str| match range.split(';').next().unwrap_or_default().trim() {
            "application/json" => Some(Self::Json),
            "application/jsonl" | "application/x-ndjson" => Some(Self::JsonLines),
            "text/plain" | "text/*" => Some(Self::Text),
            _ => None,
        };
        accept.split(',').find_map(format).unwrap_or(Self::Text)
    }
}

/// The parameter `url`, the only one that is taken. A `+` is a space, as browsers and most
/// libraries write it.
pub(super) fn url(query: Option<&str>) -> Result<Cow<'_, str>, Failure> {
    parameter(query, "url")?.ok_or_else(|| Failure::bad("the parameter `url` is missing"))
}

/// A parameter that is the only one that is taken.
pub(super) fn parameter<'q>(
    query: Option<&'q str>,
    name: &str,
) -> Result<Option<Cow<'q, str>>, Failure> {
    let [value] = parameters(query, [name])?;
    Ok(value)
}

/// The values of the parameters that are taken.
pub(super) fn parameters<'q, const N: usize>(
    query: Option<&'q str>,
    names: [&str; N],
) -> Result<[Option<Cow<'q, str>>; N], Failure> {
    let mut found = [const { None }; N];
    for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        match names.iter().position(|name| *name == key) {
            Some(place) if found[place].is_none() => found[place] = Some(decoded(value)?),
            _ => {
                let (key, names): (String, _) =
                    (key.chars().take(40).collect(), names.join("` or `"));
                return Err(Failure::bad(format!(
                    "`{key}` is not a parameter: percent-encode the value of `{names}`"
                )));
            }
        }
    }
    Ok(found)
}

fn decoded(value: &str) -> Result<Cow<'_, str>, Failure> {
    let no_text = |_| Failure::bad("the decoded parameter is not UTF-8");
    if !value.contains('+') {
        return percent_decode(value.as_bytes()).decode_utf8().map_err(no_text);
    }
    let spaced = value.replace('+', " ");
    let decoded = percent_decode(spaced.as_bytes()).decode_utf8().map_err(no_text)?;
    Ok(Cow::Owned(decoded.into_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_url_that_is_not_encoded_is_not_cut_short() {
        let refused = url(Some("url=http://a.test/?x=1&y=2")).expect_err("two parameters");
        assert!(refused.sentence.contains("`y`"), "{}", refused.sentence);
        assert_eq!(url(Some("url=http://a.test/?x=1")).expect("one"), "http://a.test/?x=1");
        assert!(url(None).is_err() && url(Some("")).is_err() && url(Some("url=%ff")).is_err());
    }

    #[test]
    fn the_first_form_that_is_accepted_counts() {
        let format = |accept: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, accept.parse().expect("a header"));
            AnswerFormat::accepted(&headers)
        };
        assert_eq!(format("*/*"), AnswerFormat::Text);
        assert_eq!(format("text/html, application/json;q=0.9, */*"), AnswerFormat::Json);
        assert_eq!(format("application/x-ndjson"), AnswerFormat::JsonLines);
        assert_eq!(AnswerFormat::accepted(&HeaderMap::new()), AnswerFormat::Text);
    }

    proptest! {
        #[test]
        fn what_libraries_encode_comes_back(text in "\\PC{0,30}") {
            let mut form = ::url::form_urlencoded::Serializer::new(String::new());
            let form = form.append_pair("url", &text).finish();
            prop_assert_eq!(&*url(Some(&form)).expect("text"), &text);
            let escaped = percent_encoding::utf8_percent_encode(
                &text, percent_encoding::NON_ALPHANUMERIC);
            let escaped = format!("url={escaped}");
            prop_assert_eq!(&*url(Some(&escaped)).expect("text"), &text);
        }

        #[test]
        fn no_query_panics(query in "\\PC{0,30}") {
            let _ = url(Some(&query));
        }
    }
}
