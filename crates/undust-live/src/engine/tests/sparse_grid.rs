//! A calendar, or a grid of filters, in which few places have a page of their own and all others show one empty page:
//! that page is one witness, whatever the words of its URLs.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::not_found::lost;

/// How a place is written, and how many values its three parts have.
const GRIDS: [(&str, [u32; 3]); 5] = [
    ("http://a.test/A/B/C", [20, 12, 28]),
    ("http://a.test/blog/A/B/C", [6, 12, 28]),
    ("http://a.test/calendar/A-B-C", [20, 12, 28]),
    ("http://a.test/calendar?y=A&m=B&d=C", [6, 12, 28]),
    ("http://a.test/list?color=cA&size=sB&brand=bC", [12, 15, 20]),
];

/// Places of which one has a page.
const PLACES: [u32; 3] = [6, 12, 50];

/// Pages that are never seen, of all.
fn crawl((link, sizes): (&str, [u32; 3]), places: u32, is_shuffled: bool) -> (usize, usize) {
    let mut random = ChaCha8Rng::seed_from_u64(places.into());
    let (mut links, mut full) = (Vec::new(), 0);
    for place in 0..sizes.iter().product() {
        let [a, b, c] =
            [place / sizes[2] / sizes[1], place / sizes[2] % sizes[1], place % sizes[2]];
        let parts = [("A", 2000 + a), ("B", 10 + b), ("C", 10 + c)];
        let url = parts
            .iter()
            .fold(link.to_owned(), |url, (part, value)| url.replacen(part, &value.to_string(), 1));
        // Never two hundred empty ones in a row: of these there may be no end.
        if place % places == 0 {
            full = place + random.random_range(0..places);
        }
        let shown = if place == full { url.clone() } else { "empty".to_owned() };
        links.push((url, shown));
    }
    if is_shuffled {
        links.shuffle(&mut random);
    }
    lost(links, places.into())
}

/// Thirty crawls: a page in a hundred of all at most, and few of any site.
#[test]
fn few_full_places_among_empty_ones_are_found() {
    let (mut lost_of_all, mut pages) = (0, 0);
    for grid in GRIDS {
        for places in PLACES {
            for is_shuffled in [false, true] {
                let (lost, all) = crawl(grid, places, is_shuffled);
                (lost_of_all, pages) = (lost_of_all + lost, pages + all);
                assert!(lost <= 3 + all / 20, "{grid:?}, one in {places}: {lost} of {all}");
            }
        }
    }
    eprintln!("{lost_of_all} of {pages}");
    assert!(100 * lost_of_all <= pages, "{lost_of_all} of {pages}");
}
