//! Curves as static SVG. Colours are those of the light page; its style sheet overrides them by what they are here, so
//! that each must mean one thing.

use plotters::prelude::*;

use crate::text::number;

/// Colours of series, in order: told apart also by those who do not see red or green (Okabe and Ito, 2008), each dark
/// enough on white. The style sheet has the same for dark pages.
pub(crate) const COLORS: [RGBColor; 6] = [
    RGBColor(0, 96, 160),
    RGBColor(178, 74, 0),
    RGBColor(0, 122, 91),
    RGBColor(150, 64, 128),
    RGBColor(122, 98, 0),
    RGBColor(70, 70, 150),
];
/// Of a crawler that fetches everything.
pub(crate) const KEEP_ALL: RGBColor = RGBColor(90, 96, 104);
/// Of a crawler that knows everything; it is dashed.
pub(crate) const IDEAL: RGBColor = RGBColor(140, 146, 154);
const GRID: RGBColor = RGBColor(225, 228, 232);
const AXIS: RGBColor = RGBColor(170, 176, 184);
const INK: RGBColor = RGBColor(70, 76, 84);

/// A line of a chart.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// Its name in the legend.
    pub name: String,
    pub color: RGBColor,
    pub points: Vec<(f64, f64)>,
}

/// What the numbers at an axis are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unit {
    Count,
    Share,
    Loss,
}

impl Unit {
    fn label(self, value: f64) -> String {
        match self {
            Self::Count => number(value.round() as i64),
            Self::Share => format!("{:.0}\u{202f}%", 100.0 * value),
            Self::Loss => format!("{value:.2}"),
        }
    }
}

/// Width and height in pixels, and the labels that fit at each axis.
struct Size {
    pixels: (u32, u32),
    labels: (usize, usize),
    left: u32,
}

const WIDE: Size = Size { pixels: (880, 320), labels: (8, 6), left: 64 };
const NARROW: Size = Size { pixels: (360, 260), labels: (4, 5), left: 56 };

/// The chart for wide and for narrow pages; the empty text if there is nothing to draw.
pub(crate) fn charts(series: &[Series], y: Unit) -> [String; 2] {
    [WIDE, NARROW].map(|size| draw(series, y, &size).unwrap_or_default())
}

type Failed = DrawingAreaErrorKind<std::io::Error>;

fn draw(series: &[Series], y: Unit, size: &Size) -> Option<String> {
    let points = || series.iter().flat_map(|one| one.points.iter());
    let (right, top) =
        points().fold((0.0_f64, 0.0_f64), |most, point| (most.0.max(point.0), most.1.max(point.1)));
    if !(right > 0.0 && top > 0.0 && right.is_finite() && top.is_finite()) {
        return None;
    }
    let top = if y == Unit::Share { 1.0 } else { top * 1.04 };
    let mut svg = String::new();
    // Drawing into a string fails only where a label has no size, which ours have.
    render(&mut svg, series, y, size, (right * 1.01, top)).ok()?;
    Some(decorative(&svg))
}

fn render(
    svg: &mut String,
    series: &[Series],
    y: Unit,
    size: &Size,
    (right, top): (f64, f64),
) -> Result<(), Box<Failed>> {
    let area = SVGBackend::with_string(svg, size.pixels).into_drawing_area();
    let boxed = |error: Failed| Box::new(error);
    let mut chart = ChartBuilder::on(&area)
        .margin_top(8)
        .margin_right(12)
        .x_label_area_size(34)
        .y_label_area_size(size.left)
        .build_cartesian_2d(0.0..right, 0.0..top)
        .map_err(boxed)?;
    let style = ("sans-serif", 13).into_font().color(&INK);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(AXIS)
        .x_labels(size.labels.0)
        .y_labels(size.labels.1)
        .label_style(style)
        .x_label_formatter(&|value| Unit::Count.label(*value))
        .y_label_formatter(&|value| y.label(*value))
        .draw()
        .map_err(boxed)?;
    // What is judged comes first, and is drawn over what it is compared with.
    for one in series.iter().rev() {
        let line = LineSeries::new(one.points.iter().copied(), one.color.stroke_width(2));
        chart.draw_series(line).map_err(boxed)?;
    }
    area.present().map_err(boxed)
}

/// The same for a figure that is described by its caption and its table: no reader of screens goes through the numbers
/// of its axes.
fn decorative(svg: &str) -> String {
    svg.trim().replacen("<svg ", "<svg aria-hidden=\"true\" focusable=\"false\" ", 1)
}

/// A colour as the style sheet and the drawing have it.
pub(crate) fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(points: &[(f64, f64)]) -> Series {
        Series { name: "a".into(), color: COLORS[0], points: points.to_vec() }
    }

    #[test]
    fn a_chart_needs_no_font_and_is_the_same_each_time() {
        let all = [series(&[(0.0, 0.0), (10.0, 5.0), (20_000.0, 60.0)])];
        let [wide, narrow] = charts(&all, Unit::Count);
        assert_eq!(charts(&all, Unit::Count), [wide.clone(), narrow.clone()]);
        assert!(wide.contains("<polyline") && wide.contains("20\u{202f}000"), "{wide}");
        assert!(wide.contains(&hex(COLORS[0])) && narrow.contains("viewBox=\"0 0 360 260\""));
        assert!(!wide.contains("url(") && !wide.contains("<image") && !wide.contains("href"));
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let none = || [String::new(), String::new()];
        assert_eq!(charts(&[], Unit::Count), none());
        assert_eq!(charts(&[series(&[(0.0, 0.0)])], Unit::Count), none());
        assert_eq!(charts(&[series(&[(1.0, f64::NAN)])], Unit::Share), none());
        assert_eq!(charts(&[series(&[(1.0, f64::INFINITY)])], Unit::Share), none());
    }
}
