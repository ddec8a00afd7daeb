//! URLs written as nobody should, made of others: what a rule must leave alone, or treat as the model does.

/// URLs like `url`, each with one oddity.
pub(crate) fn hostile(url: &str) -> Vec<String> {
    let (page, query) = match url.split_once('?') {
        Some((page, query)) => (page, Some(query)),
        None => (url, None),
    };
    let host_end =
        page.find("://").and_then(|at| page[at + 3..].find('/').map(|slash| at + 3 + slash));
    let Some((front, path)) = host_end.map(|end| page.split_at(end)) else { return Vec::new() };
    let mark = if query.is_some() { '&' } else { '?' };
    let with_query = |page: &str| match query {
        Some(query) => format!("{page}?{query}"),
        None => page.to_owned(),
    };
    let mut all = vec![
        format!("{url}{mark}"),
        format!("{url}{mark}undust_unknown=1"),
        format!("{url}{mark}undust=1&&"),
        format!("{url};jsessionid=1"),
        format!("{url}#top"),
        format!("{url}%"),
        format!("{url}%7e%2F"),
        with_query(&format!("{front}/{path}")),
        with_query(&format!("{front}/.{path}")),
        with_query(&format!("{page}/")),
        with_query(&format!("{page}%2F")),
        with_query(&format!("{page}//")),
        with_query(&format!("{front}/x/..{path}")),
        with_query(&format!("{page};v=1")),
        with_query(&format!("{front}{path}/index")),
        url.replacen("http://", "https://", 1),
        url.replacen("://", "://www.", 1),
        url.replacen("://", "://other.", 1),
    ];
    if let Some(query) = query {
        let arguments: Vec<&str> = query.split('&').collect();
        let reversed: Vec<&str> = arguments.iter().rev().copied().collect();
        let (first, name) = (arguments[0], arguments[0].split('=').next().unwrap_or_default());
        all.extend([
            format!("{page}?{}", reversed.join("&")),
            format!("{page}?{query}&{first}"),
            format!("{page}?{first}&{query}"),
            format!("{page}?{}", query.replace('&', ";")),
            format!("{page}?{}", query.replacen('&', "&&", 1)),
            format!("{page}?&{query}"),
            format!("{page}?{query}&{name}"),
            format!("{page}?{name}&{query}"),
            format!("{page}?{query}&{name}=?a"),
            format!("{page}?{}", query.replacen('=', "", 1)),
            format!("{page}?{}", query.to_lowercase()),
            format!("{page}?{query}?{query}"),
            format!("{page}?{query}%20+x"),
            format!("{page}%3F{query}"),
        ]);
    }
    all
}

/// The same with a path in capitals, which some tools do not tell from small letters.
pub(crate) fn shouted(url: &str) -> Option<String> {
    let path = undust_url::tokens::authority(url).end;
    let end = url[path..].find(['?', '#']).map_or(url.len(), |at| path + at);
    let shouted = format!("{}{}{}", &url[..path], url[path..end].to_uppercase(), &url[end..]);
    (shouted != url).then_some(shouted)
}
