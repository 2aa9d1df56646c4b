package io.muster.sample;

import io.muster.inventory.FleetAdmin;
import io.muster.inventory.Pool;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import io.muster.policy.PolicyAdmin;
import io.muster.policy.PolicyBook;
import io.muster.policy.PolicyValues;
import io.muster.sample.Demo.SampleQuota;
import io.muster.sample.Demo.SampleTeam;
import io.muster.sample.Demo.SampleUser;
import io.muster.tenancy.TeamDirectory;
import io.muster.tenancy.TeamQuota;
import io.muster.tenancy.TeamVolume;
import io.muster.tenancy.TenancyAdmin;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes the sample pools, teams, people, quotas and policy, where there are no teams yet: all of it or nothing. */
final class SampleSeeding {
    static final String VOLUME = "work";

    private static final String PRODUCTION = "production";
    private static final String SYSTEM = "muster";
    private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<Pool.Level> LEVELS = List.of(
            new Pool.Level("block", "network.topology.nvidia.com/block"),
            new Pool.Level("rack", "network.topology.nvidia.com/rack"),
            new Pool.Level("nvlink", "nvidia.com/gpu.clique"),
            new Pool.Level("node", "kubernetes.io/hostname"));

    private final TenancyAdmin tenancy;
    private final TeamDirectory directory;
    private final FleetAdmin fleet;
    private final PolicyAdmin policy;
    private final PolicyBook book;
    private final TransactionTemplate transaction;

    SampleSeeding(
            TenancyAdmin tenancy,
            TeamDirectory directory,
            FleetAdmin fleet,
            PolicyAdmin policy,
            PolicyBook book,
            TransactionTemplate transaction) {
        this.tenancy = tenancy;
        this.directory = directory;
        this.fleet = fleet;
        this.policy = policy;
        this.book = book;
        this.transaction = transaction;
    }

    /** True when it wrote something: the database had no teams. */
    boolean seed(Demo demo) {
        if (!directory.all().isEmpty()) {
            return false;
        }
        transaction.executeWithoutResult(_ -> {
            demo.pools().forEach(pool -> fleet.ensurePool(null, pool(pool)));
            demo.teams().forEach(this::seed);
            demo.users().forEach(this::seed);
            revisePolicy(demo.policy());
            grantProduction(demo.production());
        });
        return true;
    }

    private static Pool pool(Demo.SamplePool pool) {
        return new Pool(
                new PoolId(pool.id()),
                pool.displayName(),
                Map.of("muster.io/pool", pool.id()),
                LEVELS,
                PodProfile.SHIPPED,
                pool.dollarsPerGpuHour().multiply(MICROS).longValueExact());
    }

    private void seed(SampleTeam sample) {
        TeamId team = tenancy.ensureTeam(null, new TeamPath(sample.path()), sample.displayName())
                .id();
        sample.quotas().forEach((pool, quota) -> tenancy.ensureQuota(null, quota(team, pool, quota)));
        String claim = sample.path().replace('/', '-') + "-" + VOLUME;
        tenancy.ensureVolume(null, new TeamVolume(team, VOLUME, claim, null, false));
    }

    private static TeamQuota quota(TeamId team, String pool, SampleQuota quota) {
        int weight = quota.weight() == null ? 1 : quota.weight();
        return new TeamQuota(
                team,
                new PoolId(pool),
                quota.guaranteed(),
                quota.limit(),
                quota.lendable(),
                weight,
                quota.shapes() == null ? List.of() : quota.shapes());
    }

    private void seed(SampleUser sample) {
        UserId user = tenancy.ensureUser(null, sample.username(), sample.displayName(), false)
                .id();
        sample.roles().forEach((path, role) -> member(path, user, role));
    }

    private void member(String path, UserId user, Role role) {
        tenancy.ensureMember(null, team(path), user, role);
    }

    private TeamId team(String path) {
        return directory.find(new TeamPath(path)).orElseThrow().id();
    }

    private void revisePolicy(Map<String, Object> changes) {
        ObjectNode values = JSON.valueToTree(book.current().values());
        new HashMap<>(changes).forEach((name, value) -> values.set(name, JSON.valueToTree(value)));
        policy.revise(
                null, SYSTEM, JSON.treeToValue(values, PolicyValues.class), "sample jobs last minutes, not hours");
    }

    private void grantProduction(Demo.Production production) {
        policy.ensureGrant(null, SYSTEM, PRODUCTION, team(production.team()));
        production.caps().forEach((pool, gpus) -> policy.ensureCap(null, PRODUCTION, new PoolId(pool), gpus));
    }
}
