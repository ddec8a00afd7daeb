//! The formats of exports.

/// A format, named after what reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Maps for nginx, and the redirect.
    Nginx,
    /// Rules and a redirect for Apache's mod_rewrite.
    Apache,
    /// A redirect in the language of Varnish.
    Vcl,
    /// `regex-normalize.xml` of Apache Nutch.
    Nutch,
    /// A `RegexURLNormalizer` of Apache StormCrawler.
    Stormcrawler,
    /// Canonicalization rules of Heritrix 3.
    Heritrix,
    /// Rules of Zyte's duplicate-url-discarder.
    Dud,
    /// `Clean-param` lines of robots.txt.
    CleanParam,
    /// Names of arguments that do not matter, one a line.
    Names,
    /// The header No-Vary-Search, by a map of nginx.
    NoVarySearch,
    /// The edits as a table.
    Csv,
    /// The edits with their regexes.
    Json,
}

impl Format {
    /// Whether its consumer fetches what comes out, or redirects to it: then it must answer.
    pub fn is_fetched(self) -> bool {
        matches!(self, Self::Nginx | Self::Apache | Self::Vcl | Self::Nutch | Self::Stormcrawler)
    }

    /// Whether visitors get something else than they asked for: by a redirect, or out of their browser's cache.
    pub(crate) fn is_for_visitors(self) -> bool {
        matches!(self, Self::Nginx | Self::Apache | Self::Vcl | Self::NoVarySearch)
    }

    /// Whether its consumer applies all regexes of an edit, and not the first that matches.
    pub(crate) fn applies_each_line(self) -> bool {
        matches!(self, Self::Nutch | Self::Stormcrawler | Self::Heritrix)
    }
}
