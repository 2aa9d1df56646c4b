package io.muster.web;

import io.muster.calibration.Calibrations;
import io.muster.calibration.Calibrations.Calibration;
import io.muster.forecast.Forecaster;
import io.muster.inventory.Fleet;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import io.muster.web.view.CalibrationView;
import io.muster.web.view.CalibrationView.Figures;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** How honest expected starts were. Everybody may check: it says nothing of single jobs. */
@RestController
@RequestMapping("/api/v1/forecasts")
class ForecastController {
    private static final int MOST_DAYS = 90;

    private final Calibrations calibrations;
    private final TeamDirectory teams;
    private final Fleet fleet;
    private final Clock clock;

    ForecastController(Calibrations calibrations, TeamDirectory teams, Fleet fleet, Clock clock) {
        this.calibrations = calibrations;
        this.teams = teams;
        this.fleet = fleet;
        this.clock = clock;
    }

    @GetMapping("/calibration")
    CalibrationView calibration(
            @RequestParam(required = false, defaultValue = "7") int days,
            @RequestParam(required = false) @Nullable String pool,
            @RequestParam(required = false) @Nullable String team,
            Reader reader) {
        if (days < 1 || days > MOST_DAYS) {
            throw Refusal.invalid("days", "must be between 1 and " + MOST_DAYS);
        }
        PoolId ofPool = pool == null || pool.isEmpty() ? null : pool(pool);
        TeamId ofTeam = team == null || team.isEmpty() ? null : team(team);
        Instant to = clock.instant();
        Instant from = to.minus(Duration.ofDays(days));
        return new CalibrationView(
                Forecaster.MODEL,
                from,
                to,
                figures(calibrations.total(from, to, ofPool, ofTeam)),
                calibrations.rows(from, to, ofPool, ofTeam).stream()
                        .flatMap(row -> teams.find(row.team()).stream().map(t -> view(row, t)))
                        .toList());
    }

    private PoolId pool(String name) {
        return fleet.pools().stream()
                .filter(p -> p.id().value().equals(name))
                .findFirst()
                .orElseThrow(() -> Refusal.invalid("pool", "There is no pool " + name + "."))
                .id();
    }

    private TeamId team(String path) {
        return teams.all().stream()
                .filter(t -> t.path().value().equals(path))
                .findFirst()
                .orElseThrow(() -> Refusal.invalid("team", "There is no team " + path + "."))
                .id();
    }

    private static CalibrationView.Row view(Calibrations.Row row, Team team) {
        return new CalibrationView.Row(
                row.day(), row.pool().value(), team.path().value(), figures(row.calibration()));
    }

    private static Figures figures(Calibration c) {
        return new Figures(
                c.starts(),
                share(c.insideP50(), c.starts()),
                share(c.insideP90(), c.starts()),
                c.medianErrorSeconds(),
                c.meanWaitSeconds());
    }

    private static @Nullable Double share(int inside, int of) {
        return of == 0 ? null : inside / (double) of;
    }
}
