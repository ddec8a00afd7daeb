//! HTML in any charset, to text.

use undust::crawl::response_of_page;
use undust_crawl::content::html::HtmlPage;

use super::text;

const TYPES: [Option<&str>; 6] = [
    None,
    Some("text/html"),
    Some("text/html; charset=utf-8"),
    Some("text/html; charset=\"iso-2022-jp\""),
    Some("application/xhtml+xml; charset=utf-16le"),
    Some("text/html; charset=windows-1252"),
];

/// The first byte names the charset, the others are the page.
pub fn check(bytes: &[u8]) {
    let Some((&first, body)) = bytes.split_first() else { return };
    let kind = TYPES[usize::from(first) % TYPES.len()];
    if let Some(page) = response_of_page("http://h.test/a/b?c=d#e", body, kind) {
        assert_eq!((&*page.url, page.status), ("http://h.test/a/b?c=d", 200));
        assert_eq!(page.simhash.is_some(), page.words > Some(0));
        assert_eq!(page.text_hash.is_some(), page.words > Some(0));
        assert_collapsed(page.title.as_deref());
    }
    let html = text(body);
    let page = HtmlPage::parse(&html);
    assert_collapsed(page.title.as_deref());
    for link in [&page.canonical, &page.base].into_iter().flatten() {
        assert!(!link.is_empty() && link.trim() == link, "{link:?}");
    }
    // What no reader sees changes nothing.
    let seen_alone = HtmlPage::parse(&format!("<!-- x -->{html}"));
    assert_eq!(seen_alone, page);
}

fn assert_collapsed(title: Option<&str>) {
    if let Some(title) = title {
        assert!(!title.is_empty());
        assert_eq!(title.split_whitespace().collect::<Vec<_>>().join(" "), title);
    }
}
