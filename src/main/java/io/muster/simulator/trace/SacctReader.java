package io.muster.simulator.trace;

import io.muster.simulator.trace.RecordedJob.Owner;
import io.muster.simulator.trace.RecordedJob.Wants;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's accounting, as {@code sacct --allocations --parsable2
 * --format=JobID,JobName,User,Account,Submit,Elapsed,Timelimit,State,AllocTRES} writes it. Steps are no jobs; a job of
 * which no GPU was ever allocated did not run.
 */
final class SacctReader implements TraceFormat.LineReader {
    private static final Pattern LENGTH =
            Pattern.compile("(?:(\\d{1,6})-)?(?:(\\d{1,4}):)?(\\d{1,6}):(\\d{2})(\\.\\d+)?");
    private static final Pattern AMOUNT = Pattern.compile("(\\d+(?:\\.\\d+)?)([KMGTP])?");
    private static final Pattern STEP = Pattern.compile("\\d+(?:_\\d+)?(?:\\+\\d+)?\\..*");
    private static final String UNITS = "KMGTP";
    private static final BigDecimal MOST = BigDecimal.valueOf(1L << 52);

    @Override
    public void read(Row row, List<RecordedJob> jobs, List<Note> notes) throws BadLineException {
        if (STEP.matcher(row.text("JobID")).matches()) {
            throw new BadLineException("is a step of a job, not a job");
        }
        var tres = tres(row.text("AllocTRES"));
        int gpus = gpus(tres);
        var elapsed = length(row.text("Elapsed"));
        if (elapsed == null) throw new BadLineException("Elapsed is no length of time");
        var submitted = row.instant("Submit");
        var wants = new Wants(cpuMillis(tres), bytes(tres), types(tres));
        if (row.text("State").startsWith("RUNNING")) {
            notes.add(new Note(row.line(), Note.Effect.CHANGED, "still ran: ends where its record ends"));
        }
        jobs.add(new RecordedJob(
                row.line(),
                row.text("JobID"),
                submitted,
                Lines.runTime(row, elapsed, notes),
                gpus,
                wants,
                owner(row),
                walltime(row, notes)));
    }

    private static Owner owner(Row row) {
        String account = row.text("Account");
        String user = row.text("User");
        return new Owner(account.isEmpty() ? "none" : account, user.isEmpty() ? "none" : user, row.text("JobName"));
    }

    private static Map<String, String> tres(String text) {
        var tres = new HashMap<String, String>();
        Arrays.stream(text.split(",", -1))
                .map(pair -> pair.split("=", 2))
                .filter(pair -> pair.length == 2)
                .forEach(pair -> tres.put(pair[0].strip(), pair[1].strip()));
        return tres;
    }

    private static int gpus(Map<String, String> tres) throws BadLineException {
        long sum = tres.containsKey("gres/gpu") ? amount("gres/gpu", tres.get("gres/gpu")) : 0;
        if (!tres.containsKey("gres/gpu")) {
            for (var entry : tres.entrySet()) {
                if (entry.getKey().startsWith("gres/gpu:")) sum += amount(entry.getKey(), entry.getValue());
            }
        }
        if (sum == 0) throw new BadLineException("no GPU was allocated");
        if (sum > 1_000_000) throw new BadLineException("gres/gpu is more than 1,000,000");
        return (int) sum;
    }

    private static List<String> types(Map<String, String> tres) {
        return tres.keySet().stream()
                .filter(k -> k.startsWith("gres/gpu:"))
                .map(k -> k.substring("gres/gpu:".length()))
                .sorted()
                .toList();
    }

    private static long cpuMillis(Map<String, String> tres) throws BadLineException {
        return tres.containsKey("cpu") ? amount("cpu", tres.get("cpu")) * 1000L : 0;
    }

    private static long bytes(Map<String, String> tres) throws BadLineException {
        return tres.containsKey("mem") ? amount("mem", tres.get("mem")) : 0;
    }

    private static long amount(String what, @Nullable String text) throws BadLineException {
        Matcher form = AMOUNT.matcher(text == null ? "" : text);
        if (!form.matches()) throw new BadLineException(what + " is no amount");
        int power = form.group(2) == null ? 0 : UNITS.indexOf(form.group(2)) + 1;
        var amount =
                new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(1024).pow(power));
        if (amount.compareTo(MOST) > 0) throw new BadLineException(what + " is more than any machine has");
        return amount.longValue();
    }

    private static @Nullable Duration walltime(Row row, List<Note> notes) {
        String text = row.text("Timelimit");
        var walltime = length(text);
        if (walltime == null && !text.isEmpty() && !text.equals("UNLIMITED")) {
            notes.add(new Note(row.line(), Note.Effect.CHANGED, "Timelimit is no length of time: none is assumed"));
        }
        return walltime;
    }

    /** {@code [days-][hours:]minutes:seconds}, or null. */
    private static @Nullable Duration length(String text) {
        Matcher form = LENGTH.matcher(text);
        if (!form.matches()) return null;
        return Duration.ofDays(part(form.group(1)))
                .plusHours(part(form.group(2)))
                .plusMinutes(part(form.group(3)))
                .plusSeconds(part(form.group(4)));
    }

    private static long part(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
