package io.muster.scheduling.snapshot;

import io.muster.model.JobId;
import java.time.Instant;
import java.util.List;

/**
 * Everything a plan depends on.
 *
 * @param asOf the instant of the plan; the core has no other clock
 * @param settings the policy in force
 * @param mode what people allow now
 * @param pools node pools
 * @param nodes nodes of all pools
 * @param teams the tree of teams, archived ones left out
 * @param waiting jobs in QUEUED
 * @param running jobs that hold GPUs: STARTING, RUNNING, CHECKPOINTING, STOPPING
 * @param reservations GPUs kept for somebody
 */
public record ClusterSnapshot(
        Instant asOf,
        PolicySettings settings,
        ModeView mode,
        List<PoolView> pools,
        List<NodeView> nodes,
        List<TeamView> teams,
        List<WaitingJob> waiting,
        List<RunningJob> running,
        List<ReservationView> reservations) {
    public ClusterSnapshot {
        pools = List.copyOf(pools);
        nodes = List.copyOf(nodes);
        teams = List.copyOf(teams);
        waiting = List.copyOf(waiting);
        running = List.copyOf(running);
        reservations = List.copyOf(reservations);
    }

    /** The same world with other jobs waiting. */
    public ClusterSnapshot withWaiting(List<WaitingJob> others) {
        return new ClusterSnapshot(asOf, settings, mode, pools, nodes, teams, others, running, reservations);
    }

    /** The same world with nothing kept for {@code job}. */
    public ClusterSnapshot withoutReservationOf(JobId job) {
        var others = reservations.stream().filter(r -> !r.job().equals(job)).toList();
        return new ClusterSnapshot(asOf, settings, mode, pools, nodes, teams, waiting, running, others);
    }
}
