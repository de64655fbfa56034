//! Draws numbers of states over a size as a plain SVG: lines with marks, a logarithmic
//! scale, a legend. Where sizes are doubled from point to point, their scale is logarithmic
//! too, so that a power of the size is a straight line. Text and axes are grey, so that they show on light and dark pages.

/// Height of the picture.
const HEIGHT: f64 = 400.0;
/// Its width, beside the legend's text and a letter of that.
const WIDTH: f64 = 560.0;
const LETTER: f64 = 7.2;
const SHORTEST_NAME: usize = 14;
/// Of what is drawn in it: left, top, right, bottom.
const FRAME: (f64, f64, f64, f64) = (100.0, 20.0, 520.0, 345.0);
/// A colour for each series, told apart by the colour-blind as well.
const COLOURS: [&str; 5] = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00"];
const GREY: &str = "#808080";

/// A plot.
pub struct Plot {
    /// What the horizontal axis shows.
    pub x: String,
    /// What the vertical axis shows.
    pub y: String,
    /// Are sizes doubled from point to point?
    pub doubles: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line with a name; a point without a number is a run that reached its limit.
pub struct Series {
    /// For the legend.
    pub name: String,
    /// In ascending order.
    pub points: Vec<(u32, Option<u64>)>,
    /// Is it what is allowed, not what was measured?
    pub is_bound: bool,
}

impl Series {
    /// Without points yet.
    pub fn new(name: &str) -> Series {
        Series { name: name.to_owned(), points: Vec::new(), is_bound: false }
    }

    fn known(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.points.iter().filter_map(|&(x, y)| Some((x, y?)))
    }
}

/// Where numbers lie in the picture.
struct Scale {
    x: (u32, u32),
    doubles: bool,
    /// Powers of ten.
    y: (u32, u32),
}

impl Scale {
    fn of(Plot { series, doubles, .. }: &Plot) -> Scale {
        let xs = || series.iter().flat_map(|series| &series.points).map(|point| point.0);
        let ys = || series.iter().flat_map(Series::known).map(|point| point.1.max(1));
        let low = ys().min().map_or(0, u64::ilog10);
        let high = ys().max().map_or(1, |most| most.ilog10() + 1);
        Scale {
            x: (xs().min().unwrap_or(0), xs().max().unwrap_or(1)),
            doubles: *doubles,
            y: (low, high),
        }
    }

    fn across(&self, x: u32) -> f64 {
        let along = |x: u32| if self.doubles { f64::from(x.max(1)).log2() } else { f64::from(x) };
        let (first, last) = (along(self.x.0), along(self.x.1));
        FRAME.0 + (FRAME.2 - FRAME.0) * (along(x) - first) / (last - first).max(1.0)
    }

    /// The sizes that have a number on the axis.
    fn sizes(&self) -> Vec<u32> {
        let is_shown = |x: &u32| !self.doubles || x.is_power_of_two();
        (self.x.0..=self.x.1).filter(is_shown).collect()
    }

    fn up(&self, y: u64) -> f64 {
        let (low, high) = (f64::from(self.y.0), f64::from(self.y.1));
        let part = ((y.max(1) as f64).log10() - low) / (high - low).max(1.0);
        FRAME.3 - (FRAME.3 - FRAME.1) * part
    }
}

impl Plot {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let scale = Scale::of(self);
        let names = self.series.iter().map(|series| series.name.chars().count());
        let longest = names.max().unwrap_or(0).max(SHORTEST_NAME);
        let (width, height) = ((WIDTH + LETTER * longest as f64).ceil(), HEIGHT);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"13\" fill=\"{GREY}\">\n"
        );
        svg += &format!("<title>{} over {}</title>\n", self.y, self.x);
        self.axes(&scale, &mut svg);
        for (idx, series) in self.series.iter().enumerate() {
            draw(series, idx, &scale, &mut svg);
        }
        svg + "</svg>\n"
    }

    fn axes(&self, scale: &Scale, svg: &mut String) {
        let (left, top, right, bottom) = FRAME;
        for power in scale.y.0..=scale.y.1 {
            let y = scale.up(10u64.pow(power));
            *svg += &format!(
                "<path d=\"M{left} {y:.1}H{right}\" stroke=\"{GREY}\" stroke-opacity=\"0.3\"/>\n\
                 <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                left - 8.0,
                y + 4.0,
                super::page::grouped(10u64.pow(power)),
            );
        }
        for number in scale.sizes() {
            let x = scale.across(number);
            *svg += &format!(
                "<text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{number}</text>\n",
                bottom + 20.0
            );
        }
        *svg += &format!(
            "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"{GREY}\"/>\n\
             <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {:.0}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            (left + right) / 2.0,
            bottom + 42.0,
            self.x,
            (top + bottom) / 2.0,
            self.y,
        );
    }
}

/// A line, its marks, and its name beside the frame.
fn draw(series: &Series, idx: usize, scale: &Scale, svg: &mut String) {
    let colour = COLOURS[idx % COLOURS.len()];
    let places: Vec<(f64, f64)> =
        series.known().map(|(x, y)| (scale.across(x), scale.up(y))).collect();
    let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    *svg += &format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{}/>\n",
        line.join(" "),
        if series.is_bound { " stroke-dasharray=\"5 4\"" } else { "" }
    );
    let key = (FRAME.2 + 18.0, FRAME.1 + 12.0 + 22.0 * idx as f64);
    for &(x, y) in places.iter().chain([&key]) {
        *svg += &mark(idx, x, y, colour);
    }
    let (x, y) = (key.0 + 12.0, key.1 + 4.0);
    *svg += &format!("<text x=\"{x:.0}\" y=\"{y:.0}\">{}</text>\n", series.name);
}

/// Series are told apart by the shapes of their marks too.
fn mark(idx: usize, x: f64, y: f64, colour: &str) -> String {
    let path = match idx % 3 {
        0 => format!("M{:.1} {:.1}h8v8h-8z", x - 4.0, y - 4.0),
        1 => format!("M{x:.1} {:.1}l5 9h-10z", y - 6.0),
        _ => format!("M{x:.1} {:.1}l5 5l-5 5l-5 -5z", y - 5.0),
    };
    format!("<path d=\"{path}\" fill=\"{colour}\"/>\n")
}

#[cfg(test)]
mod tests {
    use super::{Plot, Scale, Series};

    fn series(points: &[(u32, Option<u64>)]) -> Series {
        Series { points: points.to_vec(), ..Series::new("auto") }
    }

    fn plot(series: Vec<Series>, doubles: bool) -> Plot {
        Plot { x: "n".into(), y: "states".into(), doubles, series }
    }

    #[test]
    fn more_is_higher_and_later_is_further_right() {
        let scale = Scale::of(&plot(vec![series(&[(2, Some(10)), (5, Some(25_021))])], false));
        assert!(scale.up(25_021) < scale.up(10));
        assert!(scale.across(5) > scale.across(2));
    }

    #[test]
    fn runs_without_an_answer_have_no_mark() {
        let lines = vec![series(&[(2, Some(10)), (3, None)])];
        let svg = plot(lines, false).to_svg();
        // One in the frame and one in the legend.
        assert_eq!(svg.matches("h8v8h-8z").count(), 2, "{svg}");
        assert!(svg.ends_with("</svg>\n"));
    }
    #[test]
    fn doubled_sizes_are_equally_far_apart() {
        let scale = Scale::of(&plot(vec![series(&[(1, Some(1)), (64, Some(64))])], true));
        let [first, middle, last] = [1, 8, 64].map(|size| scale.across(size));
        assert!((middle - first - (last - middle)).abs() < 1e-6);
        assert_eq!(scale.sizes(), [1, 2, 4, 8, 16, 32, 64]);
    }
}
