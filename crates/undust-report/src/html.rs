//! The report as a page: one file that loads nothing and runs nothing.
//!
//! | module | what goes in and comes out |
//! |---|---|
//! | `site` | a site → its sections, in the order of what a reader asks |
//! | `parts` | rows → tables, which are cards where the page is narrow; URLs, titles, bars |

mod parts;
mod site;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use undust_util::plural::counted;

use self::parts::{Column, heading, listing, table, url};
use crate::report::{Report, Site};
use crate::rows::{InputRow, SettingRow};
use crate::text::{number, percent, shown};

/// Nothing may be loaded, run or sent; the style is in the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("html/style.css");

impl Report {
    /// As a page of HTML. Its tables show at most a hundred rows; CSV and JSON have all.
    pub fn html(&self) -> String {
        let title = self.title();
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (title) }
                    link rel="icon" href="data:,";
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    a.skip href="#main" { "Skip to the report" }
                    header {
                        p.kind { "undust report" }
                        h1 { (title) }
                    }
                    main id="main" {
                        (self.failures())
                        @match &*self.sites {
                            [one] => (site::sections(one, "s1", 2)),
                            several => {
                                (index(several))
                                @for (at, one) in several.iter().enumerate() {
                                    (whole_site(one, at + 1))
                                }
                            }
                        }
                        (self.made_from())
                    }
                    footer {
                        p { "Made by undust " (shown(&self.undust)) ". It is one file: it loads nothing and runs no scripts." }
                    }
                }
            }
        };
        page.into_string()
    }

    fn title(&self) -> String {
        match &*self.sites {
            [] => "No site was evaluated".to_owned(),
            [one] => shown(&one.name),
            several => counted(several.len(), "site"),
        }
    }

    fn failures(&self) -> Markup {
        html! {
            @if !self.failures.is_empty() {
                div.warning role="note" {
                    p { strong { "Not everything was evaluated." } }
                    ul { @for failure in &self.failures { li { (shown(failure)) } } }
                }
            }
        }
    }

    fn made_from(&self) -> Markup {
        html! {
            section aria-labelledby="made-from" {
                (heading(2, "made-from", "What this report was made from"))
                @if !self.inputs.is_empty() { (inputs(&self.inputs)) }
                @if !self.settings.is_empty() { (settings(&self.settings)) }
                p.note {
                    "The same crawls, settings and version give the same report, byte for byte."
                }
            }
        }
    }
}

fn whole_site(site: &Site, number: usize) -> Markup {
    let id = format!("s{number}");
    html! {
        article.site aria-labelledby=(id) {
            (heading(2, &id, &shown(&site.name)))
            (site::sections(site, &id, 3))
            p.back { a href="#main" { "Back to the index" } }
        }
    }
}

/// Several sites at a glance.
fn index(sites: &[Site]) -> Markup {
    if sites.is_empty() {
        return html! { p.lead { "There is nothing to report: no crawl could be evaluated." } };
    }
    let columns = [
        Column::wide("Site", |(number, site): &(usize, &Site)| {
            html! { a href={ "#s" (number) } { bdi { (shown(&site.name)) } } }
        }),
        Column::number("URLs", |(_, site)| known(site.urls)),
        Column::number("Pages", |(_, site)| known(site.distinct_pages)),
        Column::text("Largest cause", |(_, site)| {
            html! { (shown(site.causes.first().map_or("", |cause| &*cause.cause))) }
        }),
        Column::number("A crawler saves", |(_, site)| {
            html! { @if let Some(verdict) = &site.verdict { (percent(verdict.saved_share)) } }
        }),
        Column::number("and loses pages", |(_, site)| {
            known(site.verdict.as_ref().map(|verdict| verdict.lost))
        }),
    ];
    let numbered: Vec<(usize, &Site)> = (1..).zip(sites).collect();
    html! {
        section aria-labelledby="index" {
            (heading(2, "index", "Index"))
            (table("Index of sites", &columns, &numbered))
        }
    }
}

/// A number; nothing where it is not known.
fn known(count: Option<impl TryInto<i64>>) -> Markup {
    html! { (count.map_or_else(String::new, number)) }
}

fn inputs(rows: &[InputRow]) -> Markup {
    let columns = [
        Column::text("Crawl", |row: &InputRow| url(&row.crawl)),
        Column::text("Kind", |row| html! { (row.kind.as_deref().unwrap_or("")) }),
        Column::number("Responses", |row| known(row.responses)),
        Column::number("Bytes", |row| known(row.bytes)),
        Column::text("SHA-1", |row| {
            html! { @match &row.sha1 { Some(sha1) => code { (sha1) }, None => "not known" } }
        }),
    ];
    listing("Crawls", &columns, rows)
}

fn settings(rows: &[SettingRow]) -> Markup {
    let columns = [
        Column::text("Setting", |row: &SettingRow| html! { code { (shown(&row.name)) } }),
        Column::text("Value", |row| html! { code { (shown(&row.value)) } }),
        Column::text("From", |row| html! { (shown(&row.origin)) }),
    ];
    html! {
        details {
            summary { "Settings in force" }
            (table("Settings in force", &columns, rows))
        }
    }
}
