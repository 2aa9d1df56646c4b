package io.muster.web;

import io.muster.job.JobCatalogue;
import io.muster.job.JobFilter;
import io.muster.job.JobRow;
import io.muster.job.WaitFigures;
import io.muster.model.JobState;
import io.muster.model.Role;
import io.muster.tenancy.Reader;
import io.muster.web.jobs.JobViews;
import io.muster.web.view.OverviewView;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The first screen in one call. */
@RestController
class OverviewController {
    private static final int MOST_OF_MINE = 50;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Set<JobState> ENDED = states(JobState::isTerminal);
    private static final Set<JobState> OPEN = states(s -> !s.isTerminal());

    private final PoolViews pools;
    private final JobCatalogue catalogue;
    private final JobViews jobs;
    private final WaitFigures waits;
    private final Notices notices;
    private final ModeViews mode;
    private final Clock clock;

    OverviewController(
            PoolViews pools,
            JobCatalogue catalogue,
            JobViews jobs,
            WaitFigures waits,
            Notices notices,
            ModeViews mode,
            Clock clock) {
        this.pools = pools;
        this.catalogue = catalogue;
        this.jobs = jobs;
        this.waits = waits;
        this.notices = notices;
        this.mode = mode;
        this.clock = clock;
    }

    @GetMapping("/api/v1/overview")
    OverviewView get(Reader reader) {
        Instant now = clock.instant();
        Map<String, JobCatalogue.Depth> depths = catalogue.depths();
        Optional<WaitFigures.Waits> waited = waits.since(now.minus(DAY));
        var mine = jobs.summaries(mine(reader, now), reader);
        return new OverviewView(
                pools.all(reader),
                depths.values().stream().mapToInt(JobCatalogue.Depth::jobs).sum(),
                Math.toIntExact(depths.values().stream()
                        .mapToLong(JobCatalogue.Depth::gpus)
                        .sum()),
                waits.running(),
                waited.map(w -> w.median().toSeconds()).orElse(null),
                waited.map(w -> w.p95().toSeconds()).orElse(null),
                mine,
                notices.of(mine, reader, now),
                mode.now());
    }

    /** Newest first: what has not ended, and what ended in the last day. */
    private List<JobRow> mine(Reader reader, Instant now) {
        var ended = of(reader, ENDED)
                .filter(row -> row.endedAt() != null && row.endedAt().isAfter(now.minus(DAY)));
        return Stream.concat(of(reader, OPEN), ended)
                .sorted(Comparator.comparing(JobRow::id).reversed())
                .limit(MOST_OF_MINE)
                .toList();
    }

    private Stream<JobRow> of(Reader reader, Set<JobState> states) {
        var filter = new JobFilter(
                null,
                reader.platformAdmin() ? null : reader.teamsWith(Role.VIEWER),
                reader.user(),
                states,
                null,
                null,
                null,
                Map.of(),
                false);
        return catalogue.list(filter, null, MOST_OF_MINE).stream();
    }

    private static Set<JobState> states(Predicate<JobState> which) {
        return Arrays.stream(JobState.values()).filter(which).collect(Collectors.toSet());
    }
}
