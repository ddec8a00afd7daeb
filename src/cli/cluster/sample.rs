//! `undust cluster --sample` and `--marked`: the check of labels by eye.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::path::Path;

use serde::Serialize;

use undust_cluster::label_check::{Marks, sample_pairs};
use undust_crawl::lines::{ReadLine, read_line};
use undust_crawl::source::open_text;
use undust_util::{Error, Result, counted, shown};

use super::clustered::Clustered;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::progress::{info, warn};
use crate::cli::standard::print_line;
use crate::cli::table::{json, safe_line};

/// The columns of the pairs. Whoever looks at a pair writes `right` or `wrong` into the first one.
const HEADER: &str = "mark\turl\tother_url\ttitle";

/// The title of each URL that has one.
pub(super) type Titles = HashMap<Box<str>, Box<str>>;

/// Writes a random sample of pairs, one a line.
pub(super) fn write_sample(
    output: Output,
    found: &Clustered,
    titles: &Titles,
    (count, seed): (usize, u64),
) -> Result<()> {
    let pairs = sample_pairs(&found.clusters, count, seed);
    output.write(|out| {
        writeln!(out, "{HEADER}")?;
        pairs.iter().try_for_each(|pair| write_pair(out, found, titles, pair))
    })?;
    if pairs.len() < count {
        info(&format!(
            "{}: the crawl has no more that share a cluster",
            counted(pairs.len(), "pair")
        ));
    }
    Ok(())
}

fn write_pair(
    out: &mut dyn Write,
    found: &Clustered,
    titles: &Titles,
    pair: &[u32; 2],
) -> io::Result<()> {
    let [url, other] = pair.map(|page| &*found.pages[page as usize].url);
    // A redirect has no title of its own.
    let title = titles.get(url).or_else(|| titles.get(other)).map_or("", |title| title);
    writeln!(out, "\t{}\t{}\t{}", safe_line(url), safe_line(other), safe_line(title))
}

/// What the marks say, as JSON.
#[derive(Serialize)]
struct Counted {
    #[serde(flatten)]
    marks: Marks,
    wrong_share: Option<f64>,
    /// The ends of the 95 % interval of that share.
    interval: Option<[f64; 2]>,
}

/// Counts the marks in a sample.
///
/// # Errors
///
/// The file cannot be read, or has no mark.
pub(super) fn count_marks(path: &Path) -> Result<()> {
    let mut input = open_text(path, std::sync::Arc::default())?;
    let marks = read_marks(path, &mut input)?;
    let Some(([low, high], share)) = marks.interval().zip(marks.wrong_share()) else {
        return Err(Failure::NothingMarked { path: path.to_owned() }.into());
    };
    let Marks { right, wrong, unmarked } = marks;
    let (interval, wrong_share) = (Some([low, high]), Some(share));
    print_line(&json(&Counted { marks, wrong_share, interval })?)?;
    info(&format!(
        "{} of {} wrong: {:.1} % (95 % interval {:.1} % to {:.1} %); {unmarked} not marked",
        wrong,
        counted((right + wrong) as usize, "marked pair"),
        100.0 * share,
        100.0 * low,
        100.0 * high,
    ));
    Ok(())
}

/// Reads the first column of each line. An unknown mark is reported, and counts as none.
fn read_marks(path: &Path, input: &mut impl BufRead) -> Result<Marks> {
    let (mut marks, mut unknown, mut held) = (Marks::default(), Vec::new(), Vec::new());
    for number in 1_u64.. {
        match read_line(input, &mut held).map_err(Error::io("read", path))? {
            ReadLine::End => break,
            ReadLine::TooLong => held.clear(),
            ReadLine::Whole => {}
        }
        let line = String::from_utf8_lossy(&held);
        let Some((mark, _)) = line.split_once('\t') else { continue };
        match mark.trim().trim_matches('"').to_ascii_lowercase().as_str() {
            "mark" if number == 1 => {}
            "right" | "r" => marks.right += 1,
            "wrong" | "w" => marks.wrong += 1,
            mark => {
                marks.unmarked += 1;
                if !matches!(mark, "" | "?") {
                    unknown.push(number);
                }
            }
        }
    }
    if let Some(first) = unknown.first() {
        warn(&format!(
            "{}: line {first} is marked neither right nor wrong, and {} in all; such pairs are not counted",
            shown(&path),
            counted(unknown.len(), "line"),
        ));
    }
    Ok(marks)
}
