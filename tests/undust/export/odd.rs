//! URLs as nobody should write them.

/// URLs like this one, each with one oddity: escapes, `//`, `&` alone, `?` alone, repeated names, `;`.
pub(super) fn odd(url: &str) -> Vec<String> {
    let (page, query) = url.split_once('?').unwrap_or((url, ""));
    let Some(slash) = page[8.min(page.len())..].find('/').map(|at| at + 8) else {
        return Vec::new();
    };
    let (front, path) = page.split_at(slash);
    let mark = if query.is_empty() { "" } else { "?" };
    let mut all = vec![
        format!("{front}/{path}{mark}{query}"),
        format!("{front}/x/..{path}{mark}{query}"),
        format!("{front}{path}/{mark}{query}"),
        format!("{front}{path}//{mark}{query}"),
        format!("{front}{path}%2F{mark}{query}"),
        format!("{front}{path}%7E{mark}{query}"),
        format!("{front}{path};a=b{mark}{query}"),
        format!("{page}?"),
        format!("{page}?{query}&"),
        format!("{page}?&"),
        format!("{page}?{query}&odd=1"),
    ];
    if let Some(argument) = query.split(['&', ';']).next().filter(|argument| !argument.is_empty()) {
        let name = argument.split('=').next().unwrap_or_default();
        all.extend([
            format!("{page}?{query}&{argument}"),
            format!("{page}?{argument}&{query}"),
            format!("{page}?{query}&{name}=%41"),
            format!("{page}?{query}&{name}"),
            format!("{page}?{name}"),
            format!("{page}?{name}="),
            format!("{page}?&&{query}"),
            format!("{page}?{}", query.replace('&', ";")),
            format!("{page}?{}", query.replace(';', "&")),
            format!("{page}?{query};"),
            format!("{page}?{query}?{query}"),
            format!("{page}?{}", query.replace('=', "%3D")),
            format!("{page}?{}", query.replace('=', "==")),
        ]);
    }
    all
}
