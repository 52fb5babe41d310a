//! Time against size, as SVG: both axes logarithmic, a line a strategy, and the time that the best possible bytes would take.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::table::{Row, Table};

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 520.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 230.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// Distinct for most eyes (P. Tol, 2021).
const COLORS: [&str; 8] = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#994455", "#555555"];

/// A line: its name and its points.
type Line = (String, Vec<(f64, f64)>);

/// The plot. What varies by numbers with the most values is the size; each setting of all else is a line.
pub(super) fn svg(table: &Table) -> String {
    let lines = lines(table);
    // The floor may go on below what is shown.
    let points = || lines.iter().filter(|(name, _)| name != FLOOR).flat_map(|(_, points)| points);
    let (Some(x), Some(y)) = (Axis::of(points().map(|at| at.0)), Axis::of(points().map(|at| at.1))) else {
        return format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n");
    };
    let place = |at: (f64, f64)| {
        let across = LEFT + x.share(at.0) * (WIDTH - LEFT - RIGHT);
        (across, HEIGHT - BOTTOM - y.share(at.1) * (HEIGHT - TOP - BOTTOM))
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <clipPath id=\"shown\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
        WIDTH - LEFT - RIGHT,
        HEIGHT - TOP - BOTTOM
    );
    grid(&mut out, &x, &y, place);
    for (index, (name, points)) in lines.iter().enumerate() {
        let floor = name == FLOOR;
        let color = if floor { "black" } else { COLORS[index % COLORS.len()] };
        let path: Vec<String> = points.iter().map(|at| place(*at)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dash = if floor { " stroke-dasharray=\"5 4\"" } else { "" };
        let down = TOP + 18.0 * index as f64;
        let text = WIDTH - RIGHT + 40.0;
        put(
            &mut out,
            format_args!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"{dash} \
                 clip-path=\"url(#shown)\"/>",
                path.join(" ")
            ),
        );
        put(
            &mut out,
            format_args!(
                "<line x1=\"{}\" x2=\"{}\" y1=\"{down}\" y2=\"{down}\" stroke=\"{color}\" stroke-width=\"2\"{dash}/>",
                text - 26.0,
                text - 6.0
            ),
        );
        put(&mut out, format_args!("<text x=\"{text}\" y=\"{}\">{}</text>", down + 4.0, escaped(name)));
    }
    out.push_str("</svg>\n");
    out
}

const FLOOR: &str = "best bytes at the best rate";

fn lines(table: &Table) -> Vec<Line> {
    let size = size_param(table);
    let mut lines: Vec<Line> = Vec::new();
    let mut best: BTreeMap<u64, u64> = BTreeMap::new();
    let mut rate = 0.0_f64;
    for row in &table.rows {
        let (Some(times), Some(at)) = (row.times, value(row, &size)) else { continue };
        let name = table.varied.iter().filter(|name| **name != size).filter_map(|name| row.params.get(name));
        let name = name.cloned().collect::<Vec<_>>().join(" ");
        let line = lines.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            lines.push((name, Vec::new()));
            lines.len() - 1
        });
        lines[line].1.push((at, times.median_us));
        let least = best.entry(at as u64).or_insert(row.bytes.best);
        *least = (*least).min(row.bytes.best);
        rate = rate.max(row.bytes.best as f64 / times.median_us.max(1e-3));
    }
    if rate > 0.0 {
        lines.push((FLOOR.to_owned(), best.iter().map(|(at, bytes)| (*at as f64, *bytes as f64 / rate)).collect()));
    }
    lines
}

/// The varied param that is a number and has the most values.
fn size_param(table: &Table) -> String {
    let distinct = |name: &str| {
        let values: std::collections::BTreeSet<_> =
            table.rows.iter().filter_map(|row| value(row, name)).map(f64::to_bits).collect();
        values.len()
    };
    table.varied.iter().max_by_key(|name| distinct(name)).cloned().unwrap_or_default()
}

fn value(row: &Row, name: &str) -> Option<f64> {
    row.params.get(name)?.parse().ok()
}

/// Powers of ten around what is shown.
struct Axis {
    low: i32,
    high: i32,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        let (low, high) = logs.fold((f64::MAX, f64::MIN), |(low, high), log| (low.min(log), high.max(log)));
        (low <= high).then(|| Self { low: low.floor() as i32, high: (high.ceil() as i32).max(low.floor() as i32 + 1) })
    }

    fn share(&self, value: f64) -> f64 {
        (value.max(1e-9).log10() - f64::from(self.low)) / f64::from(self.high - self.low)
    }
}

fn grid(out: &mut String, x: &Axis, y: &Axis, place: impl Fn((f64, f64)) -> (f64, f64)) {
    for power in x.low..=x.high {
        let (at, _) = place((10_f64.powi(power), 1.0));
        put(
            out,
            format_args!(
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{}\" stroke=\"#dddddd\"/>",
                HEIGHT - BOTTOM
            ),
        );
        put(
            out,
            format_args!(
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">1e{power}</text>",
                HEIGHT - BOTTOM + 18.0
            ),
        );
    }
    for power in y.low..=y.high {
        let (_, at) = place((1.0, 10_f64.powi(power)));
        put(
            out,
            format_args!(
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#dddddd\"/>",
                WIDTH - RIGHT
            ),
        );
        let label = 10_f64.powi(power);
        put(
            out,
            format_args!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label} µs</text>", LEFT - 6.0, at + 4.0),
        );
    }
    put(
        out,
        format_args!(
            "<text x=\"{LEFT}\" y=\"{}\">GPU time of a frame against the number of instances</text>",
            TOP - 16.0
        ),
    );
}

fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("strings take everything");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
