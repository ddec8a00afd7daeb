//! The sections of a site, in the order of what a reader asks: how bad is it, what do I do, what may a crawler skip.
//!
//! | module | what it shows |
//! |---|---|
//! | `causes` | why several URLs show one page, and what to do |
//! | `pages` | pages with most URLs, canonical URLs that content contradicts, lost pages |
//! | `learned` | what a crawler would save by what was learned, and by which edits |
//! | `cells` | cells that their tables share |

mod causes;
mod learned;
mod pages;

use maud::{Markup, html};

use self::causes::{causes, first};
use self::learned::{left_out, saved};
use self::pages::{conflicts, lost, pages};
use super::parts::heading;
use crate::report::Site;
use crate::text::shown;

/// A section: the end of its anchor, its heading, and what is in it.
type Section = (&'static str, &'static str, Markup);

/// All that there is to say of a site.
pub(super) fn sections(site: &Site, id: &str, level: u8) -> Markup {
    let own = |name: &str| format!("{id}-{name}");
    let sections: Vec<Section> = [
        ("causes", "All causes", causes(site)),
        ("conflicts", "Canonical URLs that content contradicts", conflicts(site)),
        ("pages", "Pages with most URLs", pages(site)),
        ("saved", "What a crawler would save", saved(site)),
        ("lost", "Pages that it would lose", lost(site)),
        ("left-out", "What was left out", left_out(site)),
    ]
    .into_iter()
    .filter_map(|(name, heading, content)| Some((name, heading, content?)))
    .collect();
    html! {
        (first(site, &own("first"), level))
        nav.contents aria-label={ "Contents: " (shown(&site.name)) } {
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
