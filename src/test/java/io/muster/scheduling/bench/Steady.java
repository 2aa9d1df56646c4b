package io.muster.scheduling.bench;

import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.scheduling.plan.Aftermath;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A world that lives on: plans are carried out at once, and between two of them some jobs end and as many come. */
final class Steady {
    private final Workload load;
    private final int events;
    private final Random random = new Random(3);
    private ClusterSnapshot world;
    private long nextId = 3_000_000;

    Steady(Workload load, ClusterSnapshot world, int events) {
        this.load = load;
        this.world = world;
        this.events = events;
    }

    ClusterSnapshot world() {
        return world;
    }

    /** Carries {@code decisions} out, lets a second pass and {@code events} happen. What does not change stays the same object. */
    void goOn(List<Decision> decisions) {
        var left = Aftermath.of(world, decisions);
        var asOf = world.asOf().plusSeconds(1);
        var ending = new HashSet<JobId>();
        for (int i = 0; i < events / 2 && !left.running().isEmpty(); i++) {
            ending.add(left.running().get(random.nextInt(left.running().size())).id());
        }
        var waiting = new ArrayList<>(left.waiting());
        var running = new ArrayList<RunningJob>();
        for (var job : left.running()) {
            if (ending.contains(job.id())) {
                continue;
            }
            if (job.leaving()) {
                waiting.add(new WaitingJob(job.facts(), asOf, null, Set.of(), Set.of()));
            } else {
                running.add(job.state() == JobState.STARTING ? atWork(job, asOf) : job);
            }
        }
        for (int i = 0; i < events - events / 2; i++) {
            waiting.add(load.arriving(nextId++, asOf));
        }
        world = new ClusterSnapshot(
                asOf,
                left.settings(),
                left.mode(),
                left.pools(),
                left.nodes(),
                left.teams(),
                waiting,
                running,
                left.reservations());
    }

    private static RunningJob atWork(RunningJob job, Instant now) {
        return Workload.at(job.facts(), job.placements(), now, now);
    }
}
