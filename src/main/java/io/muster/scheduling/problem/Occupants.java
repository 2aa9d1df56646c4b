package io.muster.scheduling.problem;

import io.muster.model.JobId;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.snapshot.RunningJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who holds GPUs, by id. */
final class Occupants {
    static final Occupants NONE = new Occupants(List.of());

    private static final Comparator<RunningJob> BY_ID = (a, b) -> Long.compare(a.id().value(), b.id().value());

    private final List<Occupant> all;

    private Occupants(List<Occupant> all) {
        this.all = Collections.unmodifiableList(all);
    }

    /**
     * Those of {@code jobs}; of whom these know, what does not change is taken over.
     *
     * @param unknown takes those of whom these do not know
     */
    Occupants then(List<RunningJob> jobs, Consumer<JobId> unknown, TeamTree tree, Reader reader) {
        var running = jobs.toArray(RunningJob[]::new);
        Arrays.sort(running, BY_ID);
        var read = new ArrayList<Occupant>(running.length);
        int at = 0;
        for (var job : running) {
            while (at < all.size() && all.get(at).id().value() < job.id().value()) {
                at++; // both lists are in the order of ids, and are gone through side by side
            }
            boolean same = at < all.size() && all.get(at).id().equals(job.id());
            if (!same) {
                unknown.accept(job.id());
            }
            read.add(read(read.size(), job, same ? all.get(at) : null, tree, reader));
        }
        return new Occupants(read);
    }

    private static Occupant read(int number, RunningJob job, @Nullable Occupant known, TeamTree tree, Reader reader) {
        int leaf = tree.leaf(job.facts().team());
        if (known != null && known.job() == job && known.leaf() == leaf) {
            return known.numbered(number);
        }
        var fleet = reader.fleet();
        boolean samePlace = known != null
                && (known.job() == job || known.job().placements().equals(job.placements()))
                && known.job().pool().equals(job.pool());
        var spots = known != null && samePlace ? known.spots() : Occupant.spots(job.placements(), fleet);
        boolean sameUser = known != null && known.facts() == job.facts() && known.leaf() == leaf;
        int user = known != null && sameUser ? known.user() : leaf < 0 ? -1 : reader.user(job.facts(), leaf);
        return new Occupant(number, job, leaf, user, fleet.poolNumber(job.pool()), spots, job.gpusHeld());
    }

    /** In the order of their numbers. */
    List<Occupant> all() {
        return all;
    }

    @Nullable Occupant get(JobId id) {
        int from = 0;
        int to = all.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            long other = all.get(middle).id().value();
            if (other == id.value()) {
                return all.get(middle);
            }
            from = other < id.value() ? middle + 1 : from;
            to = other < id.value() ? to : middle;
        }
        return null;
    }
}
