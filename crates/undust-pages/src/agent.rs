//! What kind of program sent a request, by the name that it gives itself.
//!
//! The class alone is kept: neither the name, nor anything else that identifies a visitor. A
//! program may give itself any name, and many that crawl call themselves browsers, so a share of
//! robots is a lower bound.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use serde::{Deserialize, Serialize};

/// Parts of the names that robots give themselves, as a regular expression without regard to letter case, for rules of
/// servers. There is no blank in it, and nothing that a program reads as its own. It has one group.
pub const ROBOT_NAMES: &str = "(bot|crawl|spider|slurp|gpt|claude|anthropic|perplexity|google|archive|scrap|fetch|http|wget|curl|python|java/)";

/// The class of the program that sent a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentClass {
    /// Crawls for a search engine.
    SearchEngine,
    /// Crawls for language models: to train them, to search for them, or to read a page for a user.
    AiCrawler,
    /// Measures links and rankings, for search engine optimisation.
    SeoTool,
    /// Keeps copies of the web.
    Archiver,
    /// Asks whether the site is up.
    Monitoring,
    /// A program or library for requests, a reader of feeds, or another robot that says that it is one.
    Tool,
    /// A browser, or what calls itself one.
    Browser,
    /// It gives no name, or one that says nothing.
    Unknown,
}

impl AgentClass {
    /// Every class, in the order of its number (`class as usize`).
    pub const ALL: [Self; 8] = [
        Self::SearchEngine,
        Self::AiCrawler,
        Self::SeoTool,
        Self::Archiver,
        Self::Monitoring,
        Self::Tool,
        Self::Browser,
        Self::Unknown,
    ];

    /// The class of a `User-Agent`. Linear in its length.
    pub fn of(agent: &[u8]) -> Self {
        // The first row of the table that matches decides; a name counts for more than a word like `bot`.
        let rows = NAMES.find_iter(agent).map(|found| found.pattern().as_usize());
        rows.min().map_or(Self::Unknown, |row| TABLE[row].0)
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::SearchEngine => "search engine",
            Self::AiCrawler => "AI crawler",
            Self::SeoTool => "SEO tool",
            Self::Archiver => "archiver",
            Self::Monitoring => "monitoring",
            Self::Tool => "tool",
            Self::Browser => "browser",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it says that it is a robot.
    pub fn is_bot(self) -> bool {
        !matches!(self, Self::Browser | Self::Unknown)
    }
}

static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let builder = &mut AhoCorasick::builder();
    let builder = builder.ascii_case_insensitive(true).match_kind(MatchKind::LeftmostLongest);
    let built = builder.build(TABLE.iter().map(|(_, name)| name));
    built.unwrap_or_else(|_| unreachable!("the table is small, and tests build it"))
});

use AgentClass::{
    AiCrawler, Archiver, Browser, Monitoring, SearchEngine as Search, SeoTool as Seo, Tool,
};

/// Parts of names, in any letter case, from the surest on. Made from what the operators of these programs publish.
/// Words that nearly every robot has come last but for the browsers, which all call themselves Mozilla.
#[rustfmt::skip]
const TABLE: &[(AgentClass, &str)] = &[
    // Before search engines: some operators have a crawler of each kind.
    (AiCrawler, "gptbot"), (AiCrawler, "chatgpt"), (AiCrawler, "oai-searchbot"), (AiCrawler, "claudebot"),
    (AiCrawler, "claude-web"), (AiCrawler, "claude-user"), (AiCrawler, "claude-searchbot"), (AiCrawler, "anthropic"),
    (AiCrawler, "perplexity"), (AiCrawler, "bytespider"), (AiCrawler, "tiktokspider"), (AiCrawler, "amazonbot"),
    (AiCrawler, "meta-external"), (AiCrawler, "facebookbot"), (AiCrawler, "googleother"),
    (AiCrawler, "google-extended"), (AiCrawler, "google-cloudvertexbot"), (AiCrawler, "applebot-extended"),
    (AiCrawler, "diffbot"), (AiCrawler, "cohere-"), (AiCrawler, "mistralai"), (AiCrawler, "deepseek"),
    (AiCrawler, "youbot"), (AiCrawler, "duckassistbot"), (AiCrawler, "ai2bot"), (AiCrawler, "imagesift"),
    (AiCrawler, "omgili"), (AiCrawler, "timpibot"), (AiCrawler, "pangubot"), (AiCrawler, "firecrawl"),
    (AiCrawler, "crawl4ai"), (AiCrawler, "webzio"), (AiCrawler, "kangaroo bot"), (AiCrawler, "velenpublic"),
    // Common Crawl archives the web; most of its use is to train language models.
    (AiCrawler, "ccbot"),
    (Search, "googlebot"), (Search, "google-inspectiontool"), (Search, "storebot-google"), (Search, "adsbot-google"),
    (Search, "mediapartners-google"), (Search, "feedfetcher-google"), (Search, "apis-google"), (Search, "bingbot"),
    (Search, "bingpreview"), (Search, "msnbot"), (Search, "adidxbot"), (Search, "yandex"), (Search, "baiduspider"),
    (Search, "duckduckbot"), (Search, "duckduckgo"), (Search, "slurp"), (Search, "applebot"), (Search, "petalbot"),
    (Search, "aspiegelbot"), (Search, "sogou"), (Search, "360spider"), (Search, "haosouspider"),
    (Search, "yisouspider"), (Search, "exabot"), (Search, "qwant"), (Search, "seznambot"), (Search, "mojeekbot"),
    (Search, "yeti/"), (Search, "naverbot"), (Search, "daum"), (Search, "coccocbot"), (Search, "gigabot"),
    (Search, "findxbot"), (Search, "yacybot"), (Search, "mail.ru_bot"), (Search, "wotbox"), (Search, "marginalia"),
    (Search, "kagibot"), (Search, "bravebot"), (Search, "blekkobot"), (Search, "teoma"),
    (Seo, "ahrefs"), (Seo, "semrush"), (Seo, "siteauditbot"), (Seo, "splitsignalbot"), (Seo, "mj12bot"),
    (Seo, "dotbot"), (Seo, "rogerbot"), (Seo, "blexbot"), (Seo, "dataforseo"), (Seo, "serpstat"), (Seo, "sistrix"),
    (Seo, "screaming"), (Seo, "sitebulb"), (Seo, "seokicks"), (Seo, "barkrowler"), (Seo, "babbar"), (Seo, "linkdex"),
    (Seo, "spbot"), (Seo, "searchmetrics"), (Seo, "oncrawl"), (Seo, "botify"), (Seo, "deepcrawl"), (Seo, "lumar"),
    (Seo, "megaindex"), (Seo, "xovibot"), (Seo, "seobility"), (Seo, "awario"), (Seo, "zoominfobot"),
    (Seo, "domainstatsbot"), (Seo, "seolyt"), (Seo, "majestic"), (Seo, "ryte"), (Seo, "audisto"),
    (Archiver, "archive.org"), (Archiver, "archive-it"), (Archiver, "ia_archiver"), (Archiver, "heritrix"),
    (Archiver, "wayback"), (Archiver, "archivebot"), (Archiver, "archiveteam"), (Archiver, "browsertrix"),
    (Archiver, "webrecorder"), (Archiver, "arquivo"), (Archiver, "bnf.fr"), (Archiver, "nicecrawler"),
    (Archiver, "httrack"), (Archiver, "grab-site"), (Archiver, "wpull"), (Archiver, "archivebox"),
    (Monitoring, "uptime"), (Monitoring, "pingdom"), (Monitoring, "statuscake"), (Monitoring, "site24x7"),
    (Monitoring, "gtmetrix"), (Monitoring, "datadog"), (Monitoring, "newrelic"), (Monitoring, "zabbix"),
    (Monitoring, "nagios"), (Monitoring, "check_http"), (Monitoring, "healthcheck"), (Monitoring, "health check"),
    (Monitoring, "googlehc"), (Monitoring, "kube-probe"), (Monitoring, "prometheus"), (Monitoring, "blackbox"),
    (Monitoring, "hetrixtools"), (Monitoring, "freshping"), (Monitoring, "monitis"), (Monitoring, "montastic"),
    (Monitoring, "checkly"), (Monitoring, "updown.io"), (Monitoring, "monit/"), (Monitoring, "dynatrace"),
    (Monitoring, "catchpoint"), (Monitoring, "lighthouse"), (Monitoring, "ptst/"),
    (Tool, "curl/"), (Tool, "wget"), (Tool, "python"), (Tool, "aiohttp"), (Tool, "httpx"), (Tool, "scrapy"),
    (Tool, "go-http-client"), (Tool, "okhttp"), (Tool, "java/"), (Tool, "apache-httpclient"), (Tool, "jakarta"),
    (Tool, "libwww"), (Tool, "lwp::"), (Tool, "perl"), (Tool, "php/"), (Tool, "guzzle"), (Tool, "ruby"),
    (Tool, "faraday"), (Tool, "node-fetch"), (Tool, "undici"), (Tool, "axios"), (Tool, "reqwest"), (Tool, "got ("),
    (Tool, "headless"), (Tool, "phantomjs"), (Tool, "puppeteer"), (Tool, "playwright"), (Tool, "selenium"),
    (Tool, "postman"), (Tool, "insomnia/"), (Tool, "httpie"), (Tool, "colly"), (Tool, "nutch"), (Tool, "nikto"),
    (Tool, "sqlmap"), (Tool, "masscan"), (Tool, "zgrab"), (Tool, "nmap"), (Tool, "nuclei"), (Tool, "katana"),
    (Tool, "facebookexternalhit"), (Tool, "whatsapp"), (Tool, "skypeuripreview"), (Tool, "embedly"),
    (Tool, "feed"), (Tool, "rss"), (Tool, "newsblur"), (Tool, "newsgator"), (Tool, "netvibes"), (Tool, "inoreader"),
    (Tool, "bot"), (Tool, "crawl"), (Tool, "spider"), (Tool, "scraper"), (Tool, "fetch"), (Tool, "preview"),
    (Tool, "http:"), (Tool, "https:"), (Tool, "validator"), (Tool, "archiver"), (Tool, "monitor"),
    (Browser, "mozilla/"), (Browser, "opera/"), (Browser, "lynx/"), (Browser, "links ("), (Browser, "w3m/"),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn programs_are_of_the_class_that_they_are_known_for() {
        let known: [(&str, AgentClass); 20] = [
            ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", Search),
            (
                "Mozilla/5.0 (Linux; Android 6.0.1) AppleWebKit/537.36 Chrome/W.X.Y.Z Mobile Safari/537.36 \
                 (compatible; GoogleOther)",
                AiCrawler,
            ),
            (
                "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
                Search,
            ),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
                AiCrawler,
            ),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
                AiCrawler,
            ),
            ("CCBot/2.0 (https://commoncrawl.org/faq/)", AiCrawler),
            ("Mozilla/5.0 (Applebot-Extended/0.1)", AiCrawler),
            ("Mozilla/5.0 (Applebot/0.1; +http://www.apple.com/go/applebot)", Search),
            ("Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", Seo),
            ("Screaming+Frog+SEO+Spider/19.0", Seo),
            (
                "Mozilla/5.0 (compatible; archive.org_bot +http://www.archive.org/details/archive.org_bot)",
                Archiver,
            ),
            ("Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", Monitoring),
            ("ELB-HealthChecker/2.0", Monitoring),
            ("curl/8.5.0", Tool),
            ("UniversalFeedParser/4.2-pre-314-svn +http://feedparser.org/", Tool),
            ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/120.0", Tool),
            ("Mozilla/5.0 (compatible; NobodyKnowsIt/1.0; +http://example.org)", Tool),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0", Browser),
            ("-", AgentClass::Unknown),
            ("", AgentClass::Unknown),
        ];
        for (agent, class) in known {
            assert_eq!(AgentClass::of(agent.as_bytes()), class, "{agent}");
        }
    }

    #[test]
    fn no_row_of_the_table_is_hidden_by_another() {
        for (class, name) in TABLE {
            assert_eq!(AgentClass::of(name.as_bytes()), *class, "{name}");
        }
        let numbers = AgentClass::ALL.map(|class| class as usize);
        assert_eq!(numbers, std::array::from_fn(|number| number));
    }

    proptest! {
        #[test]
        fn letter_case_does_not_count(agent in "[a-zA-Z/ ;:+.-]{0,60}") {
            let class = AgentClass::of(agent.as_bytes());
            prop_assert_eq!(AgentClass::of(agent.to_ascii_uppercase().as_bytes()), class);
        }

        #[test]
        fn any_bytes_have_a_class(agent in proptest::collection::vec(any::<u8>(), 0..200)) {
            AgentClass::of(&agent);
        }
    }
}
