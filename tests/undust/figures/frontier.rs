//! The plot of what `auto` saves for what it may lose, beside the other methods.

use std::fmt::Write;

use crate::support::{Figures, accepts_anew, repository};

/// Where the dial stands. The default is `auto` by itself.
pub(super) const DIAL: [&str; 10] = [
    "auto max_lost_share=0",
    "auto max_lost_share=0.002",
    "auto",
    "auto max_lost_share=0.01",
    "auto max_lost_share=0.02",
    "auto max_lost_share=0.03",
    "auto max_lost_share=0.05",
    "auto max_lost_share=0.1",
    "auto max_lost_share=0.2",
    "auto max_lost_share=0.5",
];

const OTHERS: [&str; 8] =
    ["keep-all", "miqps", "duster", "rewrite", "dustbuster", "tree", "slots", "seq2seq"];

const FILE: &str = "docs/research/frontier.svg";

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 110.0;
/// Pages lost at the right end.
const MOST: f64 = 3000.0;

/// The width of the name of a position of the dial.
const WIDEST_NAME: f64 = 30.0;

/// What one panel shows.
struct Panel {
    title: &'static str,
    figure: &'static str,
    /// At the lower and at the upper end.
    range: [f64; 2],
    top: f64,
}

const PANELS: [Panel; 2] = [
    Panel { title: "mean F1", figure: "f1", range: [0.65, 0.9], top: 20.0 },
    Panel { title: "fetches saved", figure: "saved", range: [0.0, 20_000.0], top: 280.0 },
];

/// Writes the plot, or holds it to the figures.
pub(super) fn state(figures: &Figures) {
    let (place, svg) = (repository().join(FILE), svg(figures));
    if accepts_anew() {
        std::fs::write(&place, &svg).expect("the plot can be written");
    }
    let plot = std::fs::read_to_string(&place).expect("the plot");
    assert!(plot == svg, "{FILE} is not what docs/figures.json says");
}

/// The plot, in which pages lost grow as their logarithm.
fn svg(figures: &Figures) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} 560\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#fff\"/>\n"
    );
    PANELS.iter().for_each(|panel| panel.draw(figures, &mut svg));
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"550\">pages lost (logarithmic); numbers beside the line: \
         max_lost_share</text>\n</svg>"
    );
    svg
}

fn x(lost: f64) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * (1.0 + lost).ln() / (1.0 + MOST).ln()
}

impl Panel {
    fn y(&self, value: f64) -> f64 {
        let [least, most] = self.range;
        self.top + HEIGHT * (1.0 - (value - least) / (most - least))
    }

    fn draw(&self, figures: &Figures, svg: &mut String) {
        let (bottom, end) = (self.top + HEIGHT, WIDTH - RIGHT);
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{}</text>\n<path d=\"M{LEFT},{} \
             V{bottom} H{end}\" fill=\"none\" stroke=\"#333\"/>",
            self.top - 6.0,
            self.title,
            self.top
        );
        for value in self.range {
            let (y, left) = (self.y(value) + 4.0, LEFT - 6.0);
            let _ =
                writeln!(svg, "<text x=\"{left}\" y=\"{y:.1}\" text-anchor=\"end\">{value}</text>");
        }
        for lost in [0.0, 10.0, 100.0, 1000.0] {
            let (x, y) = (x(lost), bottom + 16.0);
            let _ =
                writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{lost}</text>");
        }
        let place = |run: &str| {
            let of = |figure: &str| figures.get(&format!("all/{run}/{figure}"))?.as_f64();
            Some((x(of("lost")?), self.y(of(self.figure)?)))
        };
        let line = DIAL.iter().filter_map(|run| place(run));
        let line: Vec<String> = line.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#06c\" stroke-width=\"2\"/>",
            line.join(" ")
        );
        // Names stand above and below the line by turns, and not upon one another.
        let mut last = [f64::MIN; 2];
        for (number, run) in DIAL.iter().enumerate() {
            let Some(at) = place(run) else { continue };
            let side = number % 2;
            let name = run.split_once('=').map_or("0.005", |(_, share)| share);
            let is_free = at.0 - last[side] > WIDEST_NAME;
            last[side] = if is_free { at.0 } else { last[side] };
            point(svg, at, (if is_free { name } else { "" }, "#06c"), [-8.0, 16.0][side]);
        }
        // Not all figures of each method were measured.
        for method in OTHERS {
            place(method).into_iter().for_each(|at| {
                point(svg, at, (method, "#c50"), if method == "tree" { -6.0 } else { 14.0 })
            });
        }
    }
}

fn point(svg: &mut String, (x, y): (f64, f64), (name, colour): (&str, &str), below: f64) {
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/><text x=\"{:.1}\" \
         y=\"{:.1}\" font-size=\"10\" fill=\"{colour}\">{name}</text>",
        x + 4.0,
        y + below
    );
}

#[test]
fn the_plot_shows_the_figures() {
    state(&Figures::read());
}
