package io.muster.simulator.scorecard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Pictures in SVG, of fixed size, with axes in words. */
final class Chart {
    static final List<String> COLOURS = List.of(
            "#2563eb", "#ea580c", "#16a34a", "#9333ea", "#dc2626", "#0891b2", "#ca8a04", "#db2777", "#4b5563",
            "#65a30d");
    private static final int WIDTH = 860;
    private static final int HEIGHT = 230;
    private static final int LEFT = 70;
    private static final int RIGHT = 12;
    private static final int TOP = 12;
    private static final int BOTTOM = 30;
    private static final int ROW = 22;
    private static final int TICKS = 4;

    private Chart() {}

    /** A named row of values over the same span. */
    record Line(String name, List<Double> values) {}

    /** A named range on a logarithmic scale: from the median over p90 and p99 to the most. */
    record Range(String name, Spread spread) {}

    static String lines(String title, String unit, double spanSeconds, List<Line> lines) {
        double most = lines.stream()
                .flatMap(l -> l.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        double top = most <= 0 ? 1 : ceiling(most);
        var svg = new StringBuilder(open(title, HEIGHT));
        for (int i = 0; i <= TICKS; i++) {
            double y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - (double) i / TICKS);
            svg.append(format(
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y, y));
            svg.append(format(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    LEFT - 6, y + 4, amount(top * i / TICKS)));
        }
        int count = lines.isEmpty() ? 0 : lines.getFirst().values().size();
        double days = spanSeconds * count / 86_400;
        for (int i = 0; i <= TICKS; i++) {
            double x = LEFT + (double) (WIDTH - LEFT - RIGHT) * i / TICKS;
            svg.append(format(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x,
                    HEIGHT - 10,
                    days >= 2 ? format("day %.0f", days * i / TICKS) : format("%.1f h", days * 24 * i / TICKS)));
        }
        for (int l = 0; l < lines.size(); l++) {
            svg.append(path(lines.get(l), top, COLOURS.get(l % COLOURS.size())));
        }
        return svg.append("</svg>")
                .append(legend(lines.stream().map(Line::name).toList(), unit))
                .toString();
    }

    private static String path(Line line, double top, String colour) {
        var points = new StringBuilder();
        int count = line.values().size();
        for (int i = 0; i < count; i++) {
            double x = LEFT + (WIDTH - LEFT - RIGHT) * (i + 0.5) / count;
            double y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - line.values().get(i) / top);
            points.append(i == 0 ? "M" : "L").append(format("%.1f %.1f", x, y));
        }
        return format("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"/>", points, colour);
    }

    /** Seconds on a logarithmic scale; each group holds one range per scorecard, in the scorecards' colours. */
    static String ranges(String title, List<String> names, List<List<Range>> groups) {
        double most = groups.stream()
                .flatMap(List::stream)
                .mapToDouble(r -> r.spread().max())
                .max()
                .orElse(1);
        double decades = Math.max(1, Math.ceil(Math.log10(Math.max(10, most))));
        int rows = groups.stream().mapToInt(List::size).sum();
        int height = TOP + rows * ROW + BOTTOM;
        int left = LEFT + 90;
        double step = (WIDTH - left - RIGHT) / decades;
        var svg = new StringBuilder(open(title, height));
        for (int d = 0; d <= decades; d++) {
            double x = left + d * step;
            svg.append(format(
                    "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, TOP, height - BOTTOM));
            svg.append(format(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x, height - 10, seconds(Math.pow(10, d))));
        }
        int row = 0;
        for (var group : groups) {
            for (int i = 0; i < group.size(); i++) {
                svg.append(bar(
                        group.get(i),
                        i == 0,
                        COLOURS.get(i % COLOURS.size()),
                        TOP + row++ * ROW + ROW / 2.0,
                        left,
                        step));
            }
        }
        var said = new ArrayList<>(names);
        return svg.append("</svg>")
                .append(legend(said, "thick: median to p90, thin: to p99, dot: the most"))
                .toString();
    }

    private static String bar(Range range, boolean named, String colour, double y, int left, double step) {
        var s = range.spread();
        var out = new StringBuilder();
        if (named) {
            out.append(format(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", left - 8, y + 4, escape(range.name())));
        }
        out.append(segment(s.p50(), s.p90(), 8, colour, y, left, step));
        out.append(segment(s.p90(), s.p99(), 3, colour, y, left, step));
        out.append(
                format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", place(s.max(), left, step), y, colour));
        return out.toString();
    }

    private static String segment(double from, double to, int width, String colour, double y, int left, double step) {
        double a = place(from, left, step);
        double b = Math.max(a + 1, place(to, left, step));
        return format(
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\"/>",
                a, b, y, y, colour, width);
    }

    private static double place(double seconds, int left, double step) {
        return left + Math.log10(Math.max(1, seconds)) * step;
    }

    private static String open(String title, int height) {
        return format(
                "<h3>%s</h3><svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %d\">",
                escape(title), escape(title), WIDTH, height);
    }

    private static String legend(List<String> names, String unit) {
        var legend = new StringBuilder("<p class=\"legend\">");
        for (int i = 0; i < names.size(); i++) {
            legend.append(format(
                    "<span><i style=\"background:%s\"></i>%s</span>",
                    COLOURS.get(i % COLOURS.size()), escape(names.get(i))));
        }
        return legend.append("<em>").append(escape(unit)).append("</em></p>").toString();
    }

    private static double ceiling(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double m : new double[] {1, 2, 4, 5, 8, 10}) {
            if (value <= m * power * 1.0000001) return m * power;
        }
        return 10 * power;
    }

    static String amount(double value) {
        if (value >= 10_000) return format("%.0fk", value / 1000);
        return value >= 10 || value == Math.rint(value) ? format("%.0f", value) : format("%.2f", value);
    }

    static String seconds(double value) {
        if (value < 60) return format("%.0f s", value);
        if (value < 3600) return format("%.0f min", value / 60);
        return value < 86_400 * 2 ? format("%.1f h", value / 3600) : format("%.1f d", value / 86_400);
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
