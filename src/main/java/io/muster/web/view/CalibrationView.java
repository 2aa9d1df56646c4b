package io.muster.web.view;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How honest expected starts were: of the starts that had been forecast, how many came when they were said to. Each wait
 * is judged by the first forecast that was told of it.
 *
 * @param model how forecasts are made; another name is another way
 * @param total of all days, pools and teams that were asked for
 * @param days by UTC day, pool and team, the newest day first
 */
public record CalibrationView(String model, Instant from, Instant to, Figures total, List<Row> days) {

    /**
     * The figures.
     *
     * @param starts starts that had been forecast
     * @param insideP50 share of them that came by the expected start, null without any; one half is right
     * @param insideP90 share that came by the latest start; nine tenths is right
     * @param medianErrorSeconds half of all starts were nearer to what was expected than this
     * @param meanWaitSeconds from the forecast to the start, on average
     */
    public record Figures(
            int starts,
            @Nullable Double insideP50,
            @Nullable Double insideP90,
            double medianErrorSeconds,
            double meanWaitSeconds) {}

    /** Of one day. */
    public record Row(LocalDate day, String pool, String team, Figures figures) {}
}
