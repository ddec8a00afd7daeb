//! URLs taken apart and put together: tokens, pieces, keys, templates, normal forms, sites.

use undust::crawl::{SiteBy, site_of};
use undust_url::copied::preserves_semantics;
use undust_url::frequency::DfMode;
use undust_url::frequency::{DocumentFrequencies, FunctionRule};
use undust_url::keyed_url::KeyedUrl;
use undust_url::keys::Key;
use undust_url::normal::normal;
use undust_url::pieces::pieces;
use undust_url::template::{Reading, Vocabulary};
use undust_url::tokens::{Delimiters, Joiner, Role};

use super::{halves, text};

/// The bytes before the first zero are the site's delimiters, those behind it its URLs.
pub fn check(bytes: &[u8]) {
    let (extra, urls) = halves(bytes);
    let (extra, urls) = if bytes.len() == extra.len() { (urls, extra) } else { (extra, urls) };
    let (extra, urls) = (text(extra), text(urls));
    let delimiters = Delimiters::with_extra(&extra);
    assert_eq!(Delimiters::with_extra(&delimiters.extra()), delimiters);
    for url in urls.lines() {
        assert_eq!(joined(url, delimiters), url);
        assert_eq!(pieces(url).map(|piece| piece.text).collect::<String>(), url);
        // Total; what it says of a URL that did not change is of no effect.
        let _ = preserves_semantics(url, &normal(url));
        check_keys(url);
        check_normal(url);
    }
    check_templates(&urls, delimiters);
}

fn joined(url: &str, delimiters: Delimiters) -> String {
    let mut joiner = Joiner::default();
    for token in delimiters.tokens(url) {
        joiner.push(token.text, token.role == Role::Delimiter);
    }
    joiner.finish()
}

fn check_keys(url: &str) {
    let Some(keyed) = KeyedUrl::parse(url) else { return };
    assert_eq!(keyed.to_string(), url);
    let keys = keyed.argument_keys();
    assert_eq!(keys.len(), keyed.query().len());
    for (key, argument) in keys.iter().zip(keyed.query()) {
        assert_eq!(keyed.get(key), Some(argument.value().unwrap_or_default()));
        // A name that holds what the notation is made of is written, and not read back.
        if !argument.key().contains(['#', '=']) {
            assert_eq!(key.to_string().parse::<Key>().as_ref(), Ok(key));
        }
    }
}

fn check_normal(url: &str) {
    let form = normal(url);
    assert_eq!(normal(&form), form.as_ref());
    for by in [SiteBy::Host, SiteBy::Domain] {
        assert_eq!(site_of(url, by), site_of(&form, by));
    }
    if let Some(site) = site_of(url, SiteBy::Host) {
        assert!(!site.contains(['/', '\\', '\0']) && !site.starts_with('.'), "{site}");
    }
}

/// The template and the arguments of each URL are that URL.
fn check_templates(urls: &str, delimiters: Delimiters) {
    for mode in [DfMode::Typed, DfMode::Pooled] {
        let df = DocumentFrequencies::count(urls.lines(), delimiters, mode);
        let rule = FunctionRule { threshold: 0.4, key_threshold: 0.2, mode };
        let vocabulary = Vocabulary::learn(&df, &rule);
        let spelled = Vocabulary::from_spellings(vocabulary.spellings(), 0, delimiters, mode)
            .expect("its own");
        assert_eq!(spelled.spellings(), vocabulary.spellings());
        let mut reading = Reading::default();
        for url in urls.lines() {
            vocabulary.read(url, &mut reading);
            if let Some(written) = vocabulary.write(&reading.template, &reading.arguments) {
                assert_eq!(written, url);
            }
        }
    }
}
