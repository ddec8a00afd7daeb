//! Hosts of one domain that may show the same.

use undust_url::query::path_and_query;
use undust_url::site::{SiteBy, site_of};

use super::{Kind, Proposals, Propose};

/// Proposes that the hosts of a domain show one page under a path: sessions in host names, and servers that answer under any
/// name.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnyHost;

impl Propose for AnyHost {
    fn propose(&self, url: &str, proposals: &mut Proposals) {
        let Some(domain) = site_of(url, SiteBy::Domain) else { return };
        let (path, query) = path_and_query(url);
        let (mark, query) = if query.is_empty() { ("", "") } else { ("?", query) };
        let form = ["http://*.", &domain, path, mark, query];
        let host = url.split("://").nth(1).unwrap_or_default();
        proposals.leaves_out(host.split('.').next().unwrap_or_default());
        proposals.add(&form, &["any host of ", &domain], &Kind::of(url), "any host");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_a_domain_have_one_form() {
        let form = |url: &str| {
            let mut proposals = Proposals::default();
            AnyHost.propose(url, &mut proposals);
            proposals.iter().next().map(|one| proposals.form(one).to_owned())
        };
        let about = form("http://site.test/about?x=1");
        assert_eq!(about.as_deref(), Some("http://*.site.test/about?x=1"));
        assert_eq!(form("https://a1b2.site.test:8443/about?x=1"), about);
        assert_ne!(form("http://a.site.test/other"), about);
        assert_eq!(form("mailto:a@b.test"), None);
    }
}
