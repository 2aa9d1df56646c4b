package io.muster.dispatch;

import static java.util.stream.Collectors.toMap;

import io.muster.gateway.AttemptSpec;
import io.muster.inventory.Fleet;
import io.muster.inventory.GpuType;
import io.muster.inventory.Pool;
import io.muster.job.AttemptTokenSource;
import io.muster.job.Blueprint;
import io.muster.job.JobDocument;
import io.muster.job.LedgerReplica;
import io.muster.model.AttemptId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Says an attempt in the words of the gateway. */
@Component
class AttemptSpecs {
    private final Fleet fleet;
    private final AttemptTokenSource tokens;
    private final String apiUrl;

    AttemptSpecs(
            Fleet fleet,
            AttemptTokenSource tokens,
            @Value("${muster.api-url:http://127.0.0.1:${server.port:8080}}") String apiUrl) {
        this.fleet = fleet;
        this.tokens = tokens;
        this.apiUrl = apiUrl;
    }

    /** What became of it: a specification, or why there can be none. */
    sealed interface Drawn {
        record Spec(AttemptSpec spec) implements Drawn {}

        record Impossible(String why) implements Drawn {}
    }

    Drawn draw(Blueprint blueprint) {
        AttemptId id = blueprint.attempt().id();
        return draw(blueprint, () -> tokens.tokenFor(id));
    }

    /** Each of many, as {@link #draw(Blueprint)}. */
    Map<AttemptId, Drawn> draw(Collection<Blueprint> blueprints) {
        Map<AttemptId, String> all =
                tokens.tokensFor(blueprints.stream().map(b -> b.attempt().id()).toList());
        return blueprints.stream()
                .collect(toMap(
                        b -> b.attempt().id(),
                        b -> draw(
                                b,
                                () -> Objects.requireNonNull(all.get(b.attempt().id())))));
    }

    private Drawn draw(Blueprint blueprint, Supplier<String> token) {
        Optional<Pool> pool = fleet.pool(blueprint.attempt().pool());
        Optional<GpuType> type = fleet.gpuType(blueprint.attempt().gpuType());
        if (pool.isEmpty() || type.isEmpty()) {
            return new Drawn.Impossible("pool " + blueprint.attempt().pool() + " or GPU type "
                    + blueprint.attempt().gpuType() + " is gone");
        }
        String lost = lostVolume(blueprint);
        if (lost != null) {
            return new Drawn.Impossible("volume " + lost + " is no longer given to the team");
        }
        return new Drawn.Spec(spec(blueprint, pool.get(), type.get(), token.get()));
    }

    private static @Nullable String lostVolume(Blueprint blueprint) {
        for (JobDocument.Data data : blueprint.document().data()) {
            if (data instanceof JobDocument.Data.Volume v
                    && !blueprint.volumes().containsKey(v.volume())) {
                return v.volume();
            }
        }
        return null;
    }

    private AttemptSpec spec(Blueprint blueprint, Pool pool, GpuType type, String token) {
        JobDocument document = blueprint.document();
        Map<String, JobDocument.Group> groups =
                document.groups().stream().collect(toMap(JobDocument.Group::name, g -> g));
        List<AttemptSpec.Mount> mounts = mounts(blueprint);
        List<AttemptSpec.ReplicaSpec> replicas = blueprint.replicas().stream()
                .map(r -> replica(r, Objects.requireNonNull(groups.get(r.id().group())), mounts))
                .toList();
        JobDocument.Checkpoint how = document.checkpoint();
        return new AttemptSpec(
                blueprint.attempt().id(),
                blueprint.job().team(),
                blueprint.teamPath(),
                document.name(),
                pool.id(),
                type.resourceName(),
                pool.profile(),
                replicas,
                new AttemptSpec.Checkpointing(how.by(), how.grace(), how.every(), how.path()),
                blueprint.attempt().resumePath(),
                blueprint.attempt().resumeStep(),
                token,
                apiUrl);
    }

    private static AttemptSpec.ReplicaSpec replica(
            LedgerReplica replica, JobDocument.Group group, List<AttemptSpec.Mount> mounts) {
        return new AttemptSpec.ReplicaSpec(
                replica.id(),
                replica.node(),
                replica.amount(),
                group.sharedMemoryBytes(),
                group.image(),
                group.command(),
                group.workdir(),
                group.env(),
                mounts);
    }

    private static List<AttemptSpec.Mount> mounts(Blueprint blueprint) {
        var mounts = new ArrayList<AttemptSpec.Mount>();
        for (JobDocument.Data data : blueprint.document().data()) {
            mounts.add(
                    switch (data) {
                        case JobDocument.Data.Volume v ->
                            claim(v, Objects.requireNonNull(blueprint.volumes().get(v.volume())));
                        case JobDocument.Data.Scratch s -> new AttemptSpec.Mount.Scratch(s.bytes(), s.at());
                    });
        }
        return mounts;
    }

    private static AttemptSpec.Mount.Claim claim(JobDocument.Data.Volume wanted, Blueprint.Volume given) {
        return new AttemptSpec.Mount.Claim(
                given.claim(), given.subPath(), wanted.at(), wanted.readOnly() || given.readOnly());
    }
}
