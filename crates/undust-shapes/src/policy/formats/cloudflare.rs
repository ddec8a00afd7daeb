use super::Row;

/// Most letters of an expression.
const MOST_LETTERS: usize = 4096;

/// Expressions for custom rules; more than one where one would be too long.
pub(super) fn rules(rows: &[Row<'_>], with_host: bool) -> String {
    let url = if with_host { "http.request.full_uri" } else { "http.request.uri" };
    let mut text = HEAD.to_owned();
    let mut open = String::new();
    for Row { comment, policy, .. } in rows {
        text += &format!("# {comment}\n");
        let regex = match policy.regex.strip_prefix('^') {
            Some(rest) if with_host => format!("^https?://{rest}"),
            _ => policy.regex.clone(),
        };
        let one = format!("{url} matches r\"{regex}\"");
        if !open.is_empty() && open.len() + one.len() + END.len() + 8 > MOST_LETTERS {
            text += &format!("({open}){END}\n");
            open.clear();
        }
        open += &format!("{}({one})", if open.is_empty() { "" } else { " or " });
    }
    text + &format!("({open}){END}\n")
}

/// Robots of search engines that Cloudflare knows are let through: robots.txt tells them.
const END: &str = " and not cf.client.bot";

const HEAD: &str = "\
# Expression of a custom rule (Security, WAF), with the action Managed Challenge: people pass it. `matches` needs a plan
# that has regular expressions.
";
