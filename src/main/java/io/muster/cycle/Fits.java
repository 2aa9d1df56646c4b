package io.muster.cycle;

import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.NeverFits;
import io.muster.scheduling.snapshot.JobFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which gangs the fleet could never hold. To find out takes a look at every node, and many jobs are submitted that ask for
 * the same: it is found out once for as long as the fleet stays as it is.
 */
final class Fits {
    private static final int MOST = 1_000;

    private volatile @Nullable Known known;

    /** All that the answer depends on besides the fleet. */
    private record Kind(
            List<PoolId> pools,
            List<GpuTypeId> gpuTypes,
            long minGpuMemoryMib,
            List<GroupShape> groups,
            TopologyRequest topology) {
        static Kind of(JobFacts facts) {
            return new Kind(facts.pools(), facts.gpuTypes(), facts.minGpuMemoryMib(), facts.groups(), facts.topology());
        }
    }

    private record Known(Surroundings around, Map<Kind, Optional<Reason.NeverFits>> answers) {
        boolean isOf(Surroundings now) {
            return now == around
                    || now.poolViews().equals(around.poolViews())
                            && now.nodeViews().equals(around.nodeViews());
        }
    }

    Optional<Reason.NeverFits> check(Surroundings around, JobFacts facts) {
        Map<Kind, Optional<Reason.NeverFits>> answers = answers(around);
        if (answers.size() > MOST) {
            answers.clear();
        }
        // Not computeIfAbsent: others of the same bin would wait.
        Kind kind = Kind.of(facts);
        Optional<Reason.NeverFits> answer = answers.get(kind);
        if (answer == null) {
            answer = NeverFits.check(around.poolViews(), around.nodeViews(), facts);
            answers.put(kind, answer);
        }
        return answer;
    }

    private Map<Kind, Optional<Reason.NeverFits>> answers(Surroundings around) {
        Known before = known;
        Map<Kind, Optional<Reason.NeverFits>> answers =
                before != null && before.isOf(around) ? before.answers() : new ConcurrentHashMap<>();
        if (before == null || before.around() != around) {
            known = new Known(around, answers);
        }
        return answers;
    }
}
