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
    /// A policy of Anubis that challenges URLs with arguments that do not matter.
    Anubis,
    /// Names of arguments that do not matter, one a line.
    Names,
    /// The header No-Vary-Search, by a map of nginx.
    NoVarySearch,
    /// The same header, by Apache's mod_headers.
    NoVarySearchApache,
    /// The same header, by a map of Caddy.
    NoVarySearchCaddy,
    /// The same header by path, for other programs.
    NoVarySearchJson,
    /// Maps for nginx, and a log of what would be redirected.
    NginxDryRun,
    /// Rules for Apache's mod_rewrite, and a log of what would be redirected.
    ApacheDryRun,
    /// A log of what Varnish would redirect.
    VclDryRun,
    /// The edits as a table.
    Csv,
    /// The edits with their regexes.
    Json,
}

impl Format {
    /// The format whose rules it has.
    pub(crate) fn rules(self) -> Self {
        match self {
            Self::NginxDryRun => Self::Nginx,
            Self::ApacheDryRun => Self::Apache,
            Self::VclDryRun => Self::Vcl,
            Self::NoVarySearchApache | Self::NoVarySearchCaddy | Self::NoVarySearchJson => {
                Self::NoVarySearch
            }
            other => other,
        }
    }

    /// Whether it logs what would be redirected, and redirects nothing.
    pub(crate) fn is_dry_run(self) -> bool {
        matches!(self, Self::NginxDryRun | Self::ApacheDryRun | Self::VclDryRun)
    }

    /// Whether its consumer fetches what comes out, or redirects to it: then it must answer.
    pub fn is_fetched(self) -> bool {
        let rules = self.rules();
        matches!(rules, Self::Nginx | Self::Apache | Self::Vcl | Self::Nutch | Self::Stormcrawler)
    }

    /// Whether visitors get something else than they asked for: by a redirect, a challenge, or out of
    /// their browser's cache.
    pub(crate) fn is_for_visitors(self) -> bool {
        matches!(
            self.rules(),
            Self::Nginx | Self::Apache | Self::Vcl | Self::Anubis | Self::NoVarySearch
        )
    }

    /// Whether its consumer applies all regexes of an edit, and not the first that matches.
    pub(crate) fn applies_each_line(self) -> bool {
        matches!(self, Self::Nutch | Self::Stormcrawler | Self::Heritrix)
    }
}
