//! The sections of a site, in the order of what a reader asks: was it worth it, by what, at what price, what next.
//!
//! | module | what it shows |
//! |---|---|
//! | `verdict` | the sentence at the top, and what was learned from and judged on |
//! | `methods` | what each method saved and lost, pages over fetches |
//! | `edits` | accepted edits, ways of writing, refused edits |
//! | `labels` | what the site says of its pages |
//! | `pages` | lost pages, largest clusters, patterns of URLs |
//! | `remarks` | training of networks, what was left out |
//! | `cells` | cells that their tables share |

mod cells;
mod edits;
mod labels;
mod methods;
mod pages;
mod remarks;
mod verdict;

use maud::{Markup, html};

use self::edits::{edits, refused};
use self::labels::labels;
use self::methods::{curves, methods};
use self::pages::{clusters, lost, shapes};
use self::remarks::{left_out, networks};
use self::verdict::verdict;
use super::parts::{heading, safe};
use crate::report::Site;

/// A section: the end of its anchor, its heading, and what is in it.
type Section = (&'static str, &'static str, Markup);

/// All that there is to say of a site.
pub(super) fn sections(site: &Site, id: &str, level: u8) -> Markup {
    let own = |name: &str| format!("{id}-{name}");
    let sections: Vec<Section> = [
        ("methods", "Saved and lost by method", methods(site)),
        ("curves", "Pages found over fetches", curves(site, id)),
        ("edits", "Accepted edits", edits(site)),
        ("refused", "Refused edits", refused(site)),
        ("labels", "What the site says of its pages", labels(site)),
        ("lost", "Lost pages", lost(site)),
        ("clusters", "Largest clusters", clusters(site)),
        ("shapes", "URLs that grow", shapes(site)),
        ("networks", "How the network learned", networks(site, id)),
        ("left-out", "What was left out", left_out(site)),
    ]
    .into_iter()
    .filter_map(|(name, heading, content)| Some((name, heading, content?)))
    .collect();
    html! {
        (verdict(site))
        nav.contents aria-label={ "Contents: " (safe(&site.name)) } {
            ul { @for (name, text, _) in &sections { li { a href={ "#" (own(name)) } { (text) } } } }
        }
        @for (name, text, content) in &sections {
            section {
                (heading(level, &own(name), text))
                (content)
            }
        }
    }
}
