package io.muster.simulator.scorecard;

import io.muster.simulator.trace.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/** One scorecard, or two side by side, as a page of HTML that needs nothing else. */
public final class Page {
    private static final int MOST_TEAMS = 10;
    private static final String STYLE = """
            :root{color-scheme:light dark;--grid:#8884;--soft:#777}
            body{font:15px/1.45 system-ui,sans-serif;max-width:900px;margin:2rem auto;padding:0 1rem}
            h1{font-size:1.5rem}h2{margin-top:2.2rem}h3{margin:1.4rem 0 .3rem;font-size:1rem}
            table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
            th,td{padding:.25rem .5rem;text-align:right;border-bottom:1px solid var(--grid)}
            th:first-child,td:first-child{text-align:left}
            svg{width:100%;height:auto}svg text{font-size:11px;fill:currentColor}.grid{stroke:var(--grid)}
            .legend{color:var(--soft);margin:.1rem 0}.legend span{margin-right:1rem}.legend i{display:inline-block;width:.8em;
            height:.8em;margin-right:.35em;border-radius:2px}.legend em{font-style:normal}
            .wide{overflow-x:auto}
            """;

    private final List<Scorecard> cards;
    private final StringBuilder out = new StringBuilder();

    private Page(List<Scorecard> cards) {
        this.cards = List.copyOf(cards);
    }

    public static String of(Scorecard... cards) {
        return new Page(List.of(cards)).write();
    }

    private String write() {
        var first = cards.getFirst().setting();
        String title = String.join(" beside ", names()) + " on " + first.trace();
        out.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width\"><title>")
                .append(Chart.escape(title))
                .append("</title><style>")
                .append(STYLE)
                .append("</style></head><body>\n<h1>")
                .append(Chart.escape(title))
                .append("</h1>\n<p>")
                .append(Chart.escape(Chart.format(
                        "%d jobs of %s (%s) on %s: %d nodes, %d GPUs. A restart takes %.0f s.",
                        cards.getFirst().totals().jobs(),
                        first.trace(),
                        first.format(),
                        first.fleet(),
                        first.nodes(),
                        first.gpus(),
                        first.restartSeconds())))
                .append("</p>\n");
        numbers();
        overTime();
        parts("By size", Scorecard::bySize);
        parts("By team", Scorecard::byTeam);
        notes();
        return out.append("</body></html>\n").toString();
    }

    private List<String> names() {
        return cards.stream().map(c -> c.setting().policy()).toList();
    }

    private void numbers() {
        out.append("<h2>Numbers</h2>\n<div class=\"wide\"><table><tr><th></th>");
        names().forEach(n -> out.append("<th>").append(Chart.escape(n)).append("</th>"));
        out.append("</tr>\n");
        row("Wait, average", c -> Chart.format("%,.0f s", c.waits().average()));
        row("Wait, median / p90 / p99", c -> three(c.waits()));
        row("Wait, the most", c -> Chart.seconds(c.waits().max()));
        row("Submission to end, average", c -> Chart.format("%,.0f s", c.lives().average()));
        row("Submission to end, median / p90 / p99", c -> three(c.lives()));
        row("Makespan", c -> Chart.format("%,.0f s", c.totals().makespanSeconds()));
        row("Utilisation", c -> percent(c.totals().utilisation()));
        row("Utilisation while somebody waited", c -> percent(c.totals().utilisationUnderLoad()));
        row("GPU-hours of work", c -> Chart.format("%,.0f", c.totals().workGpuHours()));
        row(
                "GPU-hours lost to restarts and saves",
                c -> Chart.format("%,.1f", c.totals().lostGpuHours()));
        row(
                "GPU-hours idle while somebody waited",
                c -> Chart.format("%,.0f", c.totals().idleWhileWaitingGpuHours()));
        row(
                "&nbsp;of these on nodes used in part",
                c -> Chart.format("%,.0f", c.totals().brokenWhileWaitingGpuHours()));
        row("Preemptions", c -> Chart.format("%,d", c.totals().preemptions()));
        row("Moves", c -> Chart.format("%,d", c.totals().moves()));
        row(
                "Worst finish-time fairness (rho)",
                c -> Chart.format("%.2f", c.fairness().worstRho()));
        row("Jobs treated unfairly (rho above 1)", c -> percent(c.fairness().unfairShare()));
        row("Jobs that never ended", c -> Chart.format("%,d", c.totals().neverEnded()));
        out.append("</table></div>\n");
    }

    private void row(String name, Function<Scorecard, String> value) {
        out.append("<tr><td>").append(name).append("</td>");
        cards.forEach(c -> out.append("<td>").append(value.apply(c)).append("</td>"));
        out.append("</tr>\n");
    }

    private static String three(Spread s) {
        return Chart.seconds(s.p50()) + " / " + Chart.seconds(s.p90()) + " / " + Chart.seconds(s.p99());
    }

    private static String percent(double part) {
        return Chart.format("%.1f %%", part * 100);
    }

    private void overTime() {
        out.append("<h2>Over time</h2>\n");
        curve("GPUs in use", "GPUs, mean of each span", Curves::used);
        curve("Jobs that wait", "jobs, mean of each span", Curves::waitingJobs);
        curve("GPUs asked by those that wait", "GPUs, mean of each span", Curves::waitingGpus);
        curve("Fragmentation: free GPUs of nodes used in part", "GPUs, mean of each span", Curves::broken);
        curve("GPU-hours lost to restarts and saves", "GPU-hours so far, of jobs that have ended", Curves::lost);
        curve("Fairness: worst rho", "of the jobs that end in a span; above 1: unfair", Curves::worstRho);
        for (var card : cards) {
            var lines = new ArrayList<Chart.Line>();
            for (int i = 0; i < Math.min(MOST_TEAMS, card.byTeam().size()); i++) {
                lines.add(new Chart.Line(
                        card.byTeam().get(i).name(), card.curves().teams().get(i)));
            }
            String which = card.byTeam().size() > MOST_TEAMS ? ", the first " + MOST_TEAMS + " teams by name" : "";
            out.append(Chart.lines(
                            "Shares: GPUs of each team, " + card.setting().policy(),
                            "GPUs, mean of each span" + which,
                            card.curves().spanSeconds(),
                            lines))
                    .append('\n');
        }
    }

    private void curve(String title, String unit, Function<Curves, List<Double>> of) {
        var lines = cards.stream()
                .map(c -> new Chart.Line(c.setting().policy(), of.apply(c.curves())))
                .toList();
        double span =
                cards.stream().mapToDouble(c -> c.curves().spanSeconds()).max().orElse(1);
        out.append(Chart.lines(title, unit, span, stretched(lines, span))).append('\n');
    }

    /** Runs of other lengths on one axis of time: values of the shorter are read at the longer one's spans. */
    private List<Chart.Line> stretched(List<Chart.Line> lines, double span) {
        var all = new ArrayList<Chart.Line>();
        for (int l = 0; l < lines.size(); l++) {
            double own = cards.get(l).curves().spanSeconds();
            var values = lines.get(l).values();
            var moved = new ArrayList<Double>();
            for (int i = 0; i < values.size(); i++) {
                int at = (int) ((i + 0.5) * span / own);
                moved.add(at < values.size() ? values.get(at) : 0.0);
            }
            all.add(new Chart.Line(lines.get(l).name(), moved));
        }
        return all;
    }

    private void parts(String title, Function<Scorecard, List<Scorecard.Part>> of) {
        out.append("<h2>").append(title).append("</h2>\n");
        ranges("Wait", of, Scorecard.Part::waits);
        ranges("Submission to end", of, Scorecard.Part::lives);
        out.append("<div class=\"wide\"><table><tr><th></th><th>jobs</th><th>GPU-hours</th>");
        names().forEach(n -> out.append(Chart.format(
                "<th>%1$s: average wait</th><th>p99</th><th>worst rho</th><th>preempted</th>", Chart.escape(n))));
        out.append("</tr>\n");
        for (String name : names(of)) {
            var own = cards.stream().map(c -> part(of.apply(c), name)).toList();
            out.append("<tr><td>").append(Chart.escape(name)).append("</td>");
            out.append(Chart.format(
                    "<td>%,d</td><td>%,.0f</td>",
                    own.getFirst().waits().count(), own.getFirst().gpuHours()));
            own.forEach(p -> out.append(Chart.format(
                    "<td>%,.0f s</td><td>%,.0f s</td><td>%.2f</td><td>%,d</td>",
                    p.waits().average(), p.waits().p99(), p.rho().max(), p.preemptions())));
            out.append("</tr>\n");
        }
        out.append("</table></div>\n");
    }

    private void ranges(
            String title, Function<Scorecard, List<Scorecard.Part>> of, Function<Scorecard.Part, Spread> what) {
        var groups = new ArrayList<List<Chart.Range>>();
        for (String name : names(of)) {
            groups.add(cards.stream()
                    .map(c -> new Chart.Range(name, what.apply(part(of.apply(c), name))))
                    .toList());
        }
        out.append(Chart.ranges(title, names(), groups)).append('\n');
    }

    private List<String> names(Function<Scorecard, List<Scorecard.Part>> of) {
        var names = new TreeSet<String>();
        var inOrder = new ArrayList<String>();
        cards.forEach(c -> of.apply(c).forEach(p -> {
            if (names.add(p.name())) inOrder.add(p.name());
        }));
        return inOrder;
    }

    private static Scorecard.Part part(List<Scorecard.Part> parts, String name) {
        var none = Spread.of(new double[0]);
        return parts.stream()
                .filter(p -> p.name().equals(name))
                .findFirst()
                .orElse(new Scorecard.Part(name, none, none, none, 0, 0));
    }

    private void notes() {
        out.append("<h2>What of the trace is not as recorded</h2>\n");
        var notes = cards.getFirst().notes();
        if (notes.isEmpty()) {
            out.append("<p>Nothing: every line is a job of the run.</p>\n");
            return;
        }
        out.append(
                "<div class=\"wide\"><table><tr><th>cause</th><th>effect</th><th>lines</th><th>first of them</th></tr>\n");
        notes.forEach(n -> out.append(Chart.format(
                "<tr><td>%s</td><td>%s</td><td>%,d</td><td>%s</td></tr>\n",
                Chart.escape(n.why()),
                n.effect() == Note.Effect.LEFT_OUT ? "left out" : "changed",
                n.count(),
                Chart.escape(n.firstLines().toString()))));
        out.append("</table></div>\n");
    }
}
