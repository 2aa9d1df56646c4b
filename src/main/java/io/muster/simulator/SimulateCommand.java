package io.muster.simulator;

import io.muster.simulation.BadFleetException;
import io.muster.simulation.FleetNode;
import io.muster.simulation.FleetYaml;
import io.muster.simulator.engine.Cast;
import io.muster.simulator.engine.Costs;
import io.muster.simulator.engine.Planner;
import io.muster.simulator.engine.Run;
import io.muster.simulator.engine.Simulation;
import io.muster.simulator.engine.Site;
import io.muster.simulator.engine.TeamNames;
import io.muster.simulator.policy.Policies;
import io.muster.simulator.scorecard.JobTable;
import io.muster.simulator.scorecard.Json;
import io.muster.simulator.scorecard.Page;
import io.muster.simulator.scorecard.Scorecard;
import io.muster.simulator.trace.Note;
import io.muster.simulator.trace.TraceFormat;
import io.muster.simulator.trace.UnreadableTraceException;
import io.muster.simulator.trace.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** {@code simulate}: replays a recorded workload by one policy, or by two side by side. */
public final class SimulateCommand {
    /** Done. */
    public static final int OK = 0;
    /** Asked for something that cannot be, or a file that cannot be read or written. */
    public static final int REFUSED = 2;

    private static final String WORD = "simulate";
    private static final List<String> HELP_WORDS = List.of("--help", "-h");
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final int MOST_LINES_TOLD = 5;
    private static final String HELP = """
            Replays a recorded workload on a fleet that does not exist, with the server's own scheduling core.

              java -jar muster.jar simulate --fleet FILE --trace FILE --policy NAME --out DIR
              java -jar muster.jar simulate --fleet FILE --trace FILE --compare NAME NAME --out DIR

              --fleet FILE       the machines, as in scenarios/fleets
              --trace FILE       the jobs; docs/simulator.md lists the formats
              --format NAME      %s; as a rule the first line tells
              --policy NAME      %s
              --compare A B      two policies side by side
              --order NAME       inside the teams of muster: fifo, fair-finish or attained-service
              --out DIR          for scorecard.json, scorecard.html and jobs.csv
              --first N          only the first N jobs
              --longest TIME     cut run times at TIME, such as 1d
              --restart TIME     what each restart after a preemption costs; 60s
              --walltimes KIND   recorded, or truthful: jobs say how long they will run
              --teams KIND       recorded, or one: all jobs belong to one team
            """;

    private final PrintStream out;
    private final PrintStream err;

    private SimulateCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static boolean isAsked(String... args) {
        return args.length > 0 && args[0].equals(WORD);
    }

    /** @return the exit status */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return new SimulateCommand(out, err).run(List.of(args).subList(1, args.length));
    }

    private int run(List<String> words) {
        if (words.isEmpty() || HELP_WORDS.stream().anyMatch(words::contains)) {
            var formats = new ArrayList<String>();
            for (var format : TraceFormat.values()) formats.add(format.word());
            out.printf(Locale.ROOT, HELP, String.join(", ", formats), String.join(", ", Policies.names()));
            return OK;
        }
        try {
            simulate(Order.parse(words));
            return OK;
        } catch (Order.Misunderstood e) {
            return refuse(e.getMessage() + "; see simulate --help");
        } catch (BadFleetException | UnreadableTraceException e) {
            return refuse(String.valueOf(e.getMessage()));
        } catch (NoSuchFileException e) {
            return refuse("there is no file " + e.getFile());
        } catch (AccessDeniedException e) {
            return refuse(e.getFile() + " may not be read or written by this user");
        } catch (IOException e) {
            return refuse(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    private int refuse(String why) {
        err.println("simulate: " + why);
        return REFUSED;
    }

    private void simulate(Order order) throws IOException {
        var fleet = FleetYaml.parse(name(order.fleet()), String.join("\n", lines(order.fleet())));
        var workload = workload(order);
        makeDirectory(order.out());
        var cards = new ArrayList<Scorecard>();
        for (var policy : order.policies()) {
            var into = order.policies().size() == 1 ? order.out() : order.out().resolve(policy);
            makeDirectory(into);
            cards.add(simulate(order, policy, fleet, workload, into));
        }
        if (cards.size() == 2) {
            Files.writeString(order.out().resolve("compare.html"), Page.of(cards.getFirst(), cards.getLast()));
        }
        cards.forEach(this::tell);
        out.println("Written to " + order.out());
    }

    private static Workload workload(Order order) throws IOException {
        var lines = lines(order.trace());
        try {
            var format = order.format() == null ? TraceFormat.of(lines) : order.format();
            var read = format.read(lines).first(order.first());
            if (read.jobs().isEmpty()) throw new UnreadableTraceException("no line of it is a job" + firstCause(read));
            return order.longest() == null ? read : read.cutAt(order.longest());
        } catch (UnreadableTraceException e) {
            throw new UnreadableTraceException(name(order.trace()) + ": " + e.getMessage());
        }
    }

    private static void makeDirectory(Path out) throws IOException {
        for (var part = out.toAbsolutePath(); part != null; part = part.getParent()) {
            if (Files.isRegularFile(part)) throw new IOException("--out needs a directory, and " + part + " is a file");
        }
        Files.createDirectories(out);
        if (!Files.isWritable(out)) throw new AccessDeniedException(out.toString());
    }

    private static String firstCause(Workload read) {
        var notes = read.notes();
        return notes.isEmpty()
                ? ""
                : "; line %d: %s"
                        .formatted(notes.getFirst().line(), notes.getFirst().why());
    }

    private static void requireJobs(Cast cast, Site site, Path trace) {
        if (cast.jobs().isEmpty()) {
            var types = site.fleet().partitions().stream()
                    .map(p -> p.type().value())
                    .distinct()
                    .toList();
            throw new UnreadableTraceException("%s: none of its jobs fits on the fleet, which has %d GPUs of type %s"
                    .formatted(name(trace), site.gpus(), String.join(", ", types)));
        }
    }

    /** A text in UTF-8, whatever its lines end with, without the mark that some programs begin it with. */
    private static List<String> lines(Path file) throws IOException {
        if (Files.isDirectory(file)) throw new IOException(file + " is a directory, not a file");
        try {
            var lines = new ArrayList<>(Files.readAllLines(file));
            if (!lines.isEmpty() && lines.getFirst().indexOf(BYTE_ORDER_MARK) == 0) {
                lines.set(0, lines.getFirst().substring(1));
            }
            return lines;
        } catch (CharacterCodingException e) {
            throw new IOException(name(file) + " is not a text in UTF-8", e);
        }
    }

    private Scorecard simulate(Order order, String policy, List<FleetNode> fleet, Workload workload, Path into)
            throws IOException {
        var teams = order.oneTeam() ? TeamNames.ONE : TeamNames.of(workload);
        var site = Site.of(fleet, teams);
        var cast = new Cast(site, workload, order.walltimes());
        requireJobs(cast, site, order.trace());
        var costs = Costs.SHIPPED.withRestart(order.restart());
        var bar = new ProgressBar(err, policy);
        var run = new Simulation(cast, planner(order, policy, teams.size()), costs).run(bar::show);
        bar.close();
        var card = Scorecard.of(setting(order, policy, workload, site), run, notes(workload, cast));
        write(run, card, into);
        return card;
    }

    private static Planner planner(Order order, String policy, int teams) {
        return policy.equals(Policies.CORE) ? Policies.core(order.order()) : Policies.of(policy, teams);
    }

    private static List<Workload.Tally> notes(Workload workload, Cast cast) {
        var notes = new ArrayList<Note>(workload.notes());
        notes.addAll(cast.neverFitting());
        return new Workload(workload.format(), List.of(), notes).tallies(MOST_LINES_TOLD);
    }

    private static Scorecard.Setting setting(Order order, String policy, Workload workload, Site site) {
        return new Scorecard.Setting(
                policy,
                name(order.trace()),
                workload.format(),
                name(order.fleet()),
                site.fleet().size(),
                site.gpus(),
                order.restart().toMillis() / 1000.0);
    }

    private static void write(Run run, Scorecard card, Path into) throws IOException {
        Files.writeString(into.resolve("scorecard.json"), Json.of(card));
        Files.writeString(into.resolve("scorecard.html"), Page.of(card));
        try (var table = Files.newBufferedWriter(into.resolve("jobs.csv"))) {
            JobTable.write(run, table);
        }
    }

    private void tell(Scorecard card) {
        out.printf(
                Locale.ROOT,
                "%s: %,d jobs, wait %,.0f s on average and %,.0f s at p99, life %,.0f s, %,d preemptions, %,d moves, "
                        + "worst rho %.2f, makespan %,.0f s%n",
                card.setting().policy(),
                card.totals().jobs(),
                card.waits().average(),
                card.waits().p99(),
                card.lives().average(),
                card.totals().preemptions(),
                card.totals().moves(),
                card.fairness().worstRho(),
                card.totals().makespanSeconds());
        card.notes()
                .forEach(n -> out.printf(
                        Locale.ROOT,
                        "  %,d lines %s: %s (first: %s)%n",
                        n.count(),
                        n.effect() == Note.Effect.LEFT_OUT ? "left out" : "changed",
                        n.why(),
                        n.firstLines()));
    }

    private static String name(Path file) {
        return Objects.toString(file.getFileName(), file.toString());
    }
}
