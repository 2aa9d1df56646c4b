package io.muster.web;

import io.muster.accounting.UsageReport;
import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import io.muster.web.view.UsageRow;
import java.time.Clock;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What was used and what it cost, of the teams whose reader one is. */
@RestController
class UsageController {
    private static final int USUAL_DAYS = 30;
    private static final long MOST_DAYS = 1_100;

    private final UsageReport report;
    private final TeamDirectory teams;
    private final TeamGate gate;
    private final Clock clock;
    private final String currency;

    UsageController(
            UsageReport report,
            TeamDirectory teams,
            TeamGate gate,
            Clock clock,
            @Value("${muster.currency:USD}") String currency) {
        this.report = report;
        this.teams = teams;
        this.gate = gate;
        this.clock = clock;
        this.currency = currency;
    }

    @GetMapping({"/api/v1/usage", "/api/v1/cost"})
    ResponseEntity<?> usage(
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(defaultValue = "team") String by,
            @RequestParam(required = false) @Nullable String team,
            @RequestHeader(name = "Accept", required = false) @Nullable String accept,
            Reader reader) {
        LocalDate until = day("to", to, LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
        LocalDate since = day("from", from, until.minusDays(USUAL_DAYS - 1L));
        if (since.isAfter(until)) throw Refusal.invalid("from", "must not be after to");
        if (since.plusDays(MOST_DAYS).isBefore(until)) {
            throw Refusal.invalid("from", "must be at most " + MOST_DAYS + " days before to");
        }
        var rows = sum(report.lines(since, until, scope(reader, team)), key(by));
        return accept != null && accept.contains("text/csv")
                ? ResponseEntity.ok()
                        .contentType(MediaType.parseMediaType("text/csv;charset=UTF-8"))
                        .header("Content-Disposition", "attachment; filename=\"usage.csv\"")
                        .body(csv(by, rows))
                : ResponseEntity.ok(rows);
    }

    /** Null: all of them. */
    private @Nullable Collection<TeamId> scope(Reader reader, @Nullable String path) {
        if (path == null || path.isEmpty()) {
            return reader.platformAdmin() ? null : reader.teamsWith(Role.VIEWER);
        }
        Team top = gate.team("team", path);
        if (!reader.may(top.id(), Role.VIEWER)) throw Refusal.invalid("team", "There is no team " + path + ".");
        return teams.all().stream()
                .filter(t -> t.id().equals(top.id()) || t.path().value().startsWith(path + "/"))
                .map(Team::id)
                .collect(Collectors.toSet());
    }

    private Function<UsageReport.Line, String> key(String by) {
        return switch (by) {
            case "team" -> line -> gate.path(line.team());
            case "user" -> line -> gate.username(line.user());
            case "pool" -> line -> line.pool().value();
            case "day" -> line -> line.day().toString();
            default -> throw Refusal.invalid("by", "must be team, user, pool or day");
        };
    }

    private List<UsageRow> sum(List<UsageReport.Line> lines, Function<UsageReport.Line, String> key) {
        Map<String, UsageRow> sums = new TreeMap<>();
        lines.forEach(line -> sums.merge(key.apply(line), row(key.apply(line), line), UsageController::plus));
        return List.copyOf(sums.values());
    }

    private UsageRow row(String key, UsageReport.Line l) {
        return new UsageRow(key, l.gpuSeconds(), hours(l.gpuSeconds()), l.lostGpuSeconds(), l.micros(), currency);
    }

    private static UsageRow plus(UsageRow a, UsageRow b) {
        long seconds = a.gpuSeconds() + b.gpuSeconds();
        return new UsageRow(
                a.key(),
                seconds,
                hours(seconds),
                a.lostGpuSeconds() + b.lostGpuSeconds(),
                a.micros() + b.micros(),
                a.currency());
    }

    private static double hours(long seconds) {
        return Math.round(seconds / 36.0) / 100.0;
    }

    private static LocalDate day(String field, @Nullable String text, LocalDate otherwise) {
        if (text == null || text.isBlank()) return otherwise;
        try {
            return text.length() == 10
                    ? LocalDate.parse(text)
                    : OffsetDateTime.parse(text)
                            .atZoneSameInstant(ZoneOffset.UTC)
                            .toLocalDate();
        } catch (DateTimeParseException e) {
            throw Refusal.invalid(field, "must be a day such as 2026-01-31");
        }
    }

    private static String csv(String by, List<UsageRow> rows) {
        var text = new StringBuilder(by + ",gpu_hours,lost_gpu_hours,cost,currency\r\n");
        for (UsageRow row : rows) {
            text.append(cell(row.key())).append(',').append(row.gpuHours());
            text.append(',').append(hours(row.lostGpuSeconds()));
            text.append(',')
                    .append(java.math.BigDecimal.valueOf(row.micros(), 6).toPlainString());
            text.append(',').append(cell(row.currency())).append("\r\n");
        }
        return text.toString();
    }

    /** A cell that begins like a formula would be run as one by a spreadsheet. */
    static String cell(String value) {
        boolean formula = !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0;
        return '"' + (formula ? "'" : "") + value.replace("\"", "\"\"") + '"';
    }
}
