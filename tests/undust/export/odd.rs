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

/// URLs like this one that are very long: arguments, paths and lists of arguments, within what rules change and far
/// beyond.
pub(super) fn long(url: &str) -> Vec<String> {
    let (page, query) = url.split_once('?').unwrap_or((url, ""));
    let argument = query.split(['&', ';']).next().filter(|argument| !argument.is_empty());
    let name = argument.unwrap_or("undust").split('=').next().unwrap_or_default();
    let mark = if query.is_empty() { '?' } else { '&' };
    [900, 1_200, 1_900, 7_500, 30_000]
        .into_iter()
        .flat_map(|length| {
            let repeated = |text: &str| text.repeat(length / text.len());
            [
                format!("{page}?{name}={}", repeated("a")),
                format!("{page}?{name}={}&{query}", repeated("%C3")),
                format!("{url}{mark}odd={}", repeated("a-1/")),
                format!("{url}{mark}{}", repeated("a=1&")),
                format!("{page}?{}", repeated(&format!("{name}=1&"))),
                format!("{page}{}?{query}", repeated("/a")),
                format!("{page}/{}?{query}", repeated("x")),
                format!("{page}/{}", repeated("a-")),
            ]
        })
        .collect()
}
