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
    /// Maps for nginx, and a redirect of robots alone.
    NginxRobots,
    /// Rules for Apache's mod_rewrite, and a redirect of robots alone.
    ApacheRobots,
    /// A redirect in the language of Varnish, of robots alone.
    VclRobots,
    /// The edits as a table.
    Csv,
    /// The edits with their regexes.
    Json,
}

/// What a server does with a URL that rules change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It redirects whoever asks.
    Redirects,
    /// It redirects programs that call themselves robots.
    RedirectsRobots,
    /// It logs what it would redirect.
    Logs,
}

impl Format {
    /// The format whose rules it has.
    pub(crate) fn rules(self) -> Self {
        match self {
            Self::NginxDryRun | Self::NginxRobots => Self::Nginx,
            Self::ApacheDryRun | Self::ApacheRobots => Self::Apache,
            Self::VclDryRun | Self::VclRobots => Self::Vcl,
            Self::NoVarySearchApache | Self::NoVarySearchCaddy | Self::NoVarySearchJson => {
                Self::NoVarySearch
            }
            other => other,
        }
    }

    /// What a server does with a URL that its rules change.
    pub(crate) fn effect(self) -> Effect {
        match self {
            Self::NginxDryRun | Self::ApacheDryRun | Self::VclDryRun => Effect::Logs,
            Self::NginxRobots | Self::ApacheRobots | Self::VclRobots => Effect::RedirectsRobots,
            _ => Effect::Redirects,
        }
    }

    /// Whether its consumer fetches what comes out, or redirects to it: then it must answer.
    pub fn is_fetched(self) -> bool {
        let rules = self.rules();
        matches!(rules, Self::Nginx | Self::Apache | Self::Vcl | Self::Nutch | Self::Stormcrawler)
    }

    /// Whether visitors get something else than they asked for: by a redirect, a challenge, or out of
    /// their browser's cache.
    pub(crate) fn is_for_visitors(self) -> bool {
        self.effect() != Effect::RedirectsRobots
            && matches!(
                self.rules(),
                Self::Nginx | Self::Apache | Self::Vcl | Self::Anubis | Self::NoVarySearch
            )
    }

    /// Whether its consumer applies all regexes of an edit, and not the first that matches.
    pub(crate) fn applies_each_line(self) -> bool {
        matches!(self, Self::Nutch | Self::Stormcrawler | Self::Heritrix)
    }
}
