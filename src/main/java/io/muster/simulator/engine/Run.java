package io.muster.simulator.engine;

import java.util.List;

/**
 * A workload that was run to its end.
 *
 * @param jobs all that could ever run; one that never ended was starved for good
 * @param from the first submission, in milliseconds of the virtual clock
 * @param to the last event
 * @param plans how often the planner was asked
 */
public record Run(Site site, List<SimulatedJob> jobs, Costs costs, Timeline timeline, long from, long to, int plans) {
    public Run {
        jobs = List.copyOf(jobs);
    }
}
