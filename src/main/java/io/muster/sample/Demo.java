package io.muster.sample;

import io.muster.model.QuotaShape;
import io.muster.model.Role;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * What {@code scenarios/demo.yaml} says.
 *
 * @param researcher the user as whom a newcomer may sign in
 */
record Demo(
        List<SamplePool> pools,
        List<SampleTeam> teams,
        List<SampleUser> users,
        String researcher,
        Map<String, Object> policy,
        Production production,
        Workload workload) {
    private static final YAMLMapper MAPPER = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    static Demo parse(String yaml) {
        return MAPPER.readValue(yaml, Demo.class);
    }

    record SamplePool(String id, String displayName, BigDecimal dollarsPerGpuHour) {}

    record SampleTeam(String path, String displayName, SortedMap<String, SampleQuota> quotas) {}

    record SampleQuota(
            int guaranteed,
            @Nullable Integer limit,
            @Nullable Integer lendable,
            @Nullable Integer weight,
            @Nullable List<QuotaShape> shapes) {}

    record SampleUser(String username, String displayName, SortedMap<String, Role> roles) {}

    /** The team that may use the class {@code production}, and by pool on how many GPUs. */
    record Production(String team, SortedMap<String, Integer> caps) {}

    record Workload(
            List<PoolWork> pools,
            Duration urgentEvery,
            Between duration,
            double failProbability,
            List<Size> sizes,
            List<TeamWork> teams,
            Urgent urgent) {}

    /** How many jobs an idle pool gets, between how many GPUs waited for it is kept, and its largest job. */
    record PoolWork(String pool, int firstJobs, int few, int many, int largest) {}

    record Between(Duration shortest, Duration longest) {}

    /**
     * How large a job is.
     *
     * @param min it works with this many of its replicas; null: with all
     * @param slices so many replicas each stand in one NVLink domain; null: it does not ask for that
     */
    record Size(
            int replicas,
            int gpus,
            @Nullable Integer min,
            @Nullable Integer slices,
            int weight) {
        int total() {
            return replicas * gpus;
        }
    }

    record TeamWork(
            String team,
            int weight,
            List<String> users,
            String image,
            SortedMap<String, Integer> pools,
            List<String> jobs) {}

    record Urgent(
            String team,
            String user,
            String priority,
            String pool,
            int replicas,
            int gpus,
            String image,
            List<String> jobs,
            Duration duration) {}
}
