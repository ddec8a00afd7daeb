use undust_pages::agent::ROBOT_NAMES;

use super::Row;

/// A matcher and an answer for each pattern. Caddy itself has no limit by time, so robots are refused.
pub(super) fn rules(rows: &[Row<'_>], with_host: bool) -> String {
    let url =
        if with_host { "{http.request.host}{http.request.uri}" } else { "{http.request.uri}" };
    let mut text =
        "# Into the block of the site, before its own `handle`. Robots are refused.\n".to_owned();
    for Row { number, comment, policy } in rows {
        text += &format!(
            "# {comment}\n@undust_{number} {{\n\tvars_regexp shape {url} `{}`\n\
             \theader_regexp robot User-Agent `(?i){ROBOT_NAMES}`\n}}\nhandle @undust_{number} {{\n\trespond 429\n}}\n",
            policy.regex
        );
    }
    text
}
