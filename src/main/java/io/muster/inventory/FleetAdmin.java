package io.muster.inventory;

import io.muster.audit.AuditTrail;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.model.UserId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Sets pools and the catalogue of GPU types; nodes are matched anew in the same transaction. */
@Component
@Transactional
public class FleetAdmin {
    private final JdbcClient jdbc;
    private final AuditTrail audit;
    private final CachedFleet fleet;
    private final NodeRows nodes;
    private final FleetRows rows;

    FleetAdmin(JdbcClient jdbc, AuditTrail audit, CachedFleet fleet, NodeRows nodes) {
        this.jdbc = jdbc;
        this.audit = audit;
        this.fleet = fleet;
        this.nodes = nodes;
        this.rows = new FleetRows(jdbc);
    }

    /** Makes the pool, or brings it to what is wanted; what is so already is left alone. */
    public void ensurePool(@Nullable UserId by, Pool pool) {
        var there = fleet.pool(pool.id());
        if (there.isEmpty()) createPool(by, pool);
        else if (!there.get().equals(pool)) changePool(by, pool, null);
    }

    public void ensureGpuType(@Nullable UserId by, GpuType type) {
        if (!fleet.gpuType(type.id()).equals(java.util.Optional.of(type))) setGpuType(by, type, null);
    }

    public void createPool(@Nullable UserId by, Pool pool) {
        begin();
        PoolLimits.check(pool);
        if (fleet.pool(pool.id()).isPresent()) {
            throw Refusal.conflict("id", "There is a pool " + pool.id() + " already.");
        }
        jdbc.sql("""
                insert into pool (id, display_name, selector, levels, profile, micros_per_gpu_hour, version)
                values (:id, :name, :selector::jsonb, :levels::jsonb, :profile::jsonb, :price, 1)""")
                .param("id", pool.id().value())
                .param("name", pool.displayName())
                .param("selector", rows.text(pool.selector()))
                .param("levels", rows.text(pool.levels()))
                .param("profile", rows.text(pool.profile()))
                .param("price", pool.microsPerGpuHour())
                .update();
        nodes.rematch();
        audit.append(by, "pool.create", subject(pool.id()), null, pool, null);
    }

    /** @param seen the version that was read, or null: does not matter */
    public void changePool(@Nullable UserId by, Pool pool, @Nullable Long seen) {
        begin();
        PoolLimits.check(pool);
        Pool before = fleet.pool(pool.id()).orElseThrow(() -> Refusal.notFound("pool"));
        if (seen != null && seen != fleet.version(pool.id())) throw Refusal.stale();
        jdbc.sql("""
                update pool set display_name = :name, selector = :selector::jsonb, levels = :levels::jsonb,
                    profile = :profile::jsonb, micros_per_gpu_hour = :price, version = version + 1 where id = :id""")
                .param("id", pool.id().value())
                .param("name", pool.displayName())
                .param("selector", rows.text(pool.selector()))
                .param("levels", rows.text(pool.levels()))
                .param("profile", rows.text(pool.profile()))
                .param("price", pool.microsPerGpuHour())
                .update();
        nodes.rematch();
        audit.append(by, "pool.change", subject(pool.id()), before, pool, null);
    }

    /** @param seen the version that was read, 0: there was none, null: does not matter */
    public void setGpuType(@Nullable UserId by, GpuType type, @Nullable Long seen) {
        begin();
        PoolLimits.check(type, fleet.gpuTypes());
        GpuType before = fleet.gpuType(type.id()).orElse(null);
        if (seen != null && seen != fleet.version(type.id())) throw Refusal.stale();
        jdbc.sql("""
                insert into gpu_type (id, memory_mib, resource_name, products, version)
                values (:id, :memory, :resource, :products, 1)
                on conflict (id) do update set memory_mib = excluded.memory_mib, resource_name = excluded.resource_name,
                    products = excluded.products, version = gpu_type.version + 1""")
                .param("id", type.id().value())
                .param("memory", type.memoryMib())
                .param("resource", type.resourceName())
                .param("products", type.products().toArray(String[]::new))
                .update();
        nodes.rematch();
        audit.append(by, "gpu-type.set", "gpu-type:" + type.id(), before, type, null);
    }

    /**
     * Until the caller's transaction ends, no pool or type changes. Without it, a node that is first seen while a pool is
     * made would be matched against the pools of before, and the pool against the nodes of before.
     */
    static void keepCatalogue(JdbcClient jdbc) {
        lock(jdbc, "pg_advisory_xact_lock_shared");
    }

    private static void lock(JdbcClient jdbc, String function) {
        jdbc.sql("select 1 from (select " + function + "(hashtext('muster catalogue'))) locked")
                .query(Integer.class)
                .single();
    }

    private void begin() {
        lock(jdbc, "pg_advisory_xact_lock");
        jdbc.sql("select revision from inventory_revision for update")
                .query(Long.class)
                .single();
    }

    private static String subject(PoolId id) {
        return "pool:" + id;
    }

    /** The shape that a type's name may have. */
    public static boolean isTypeName(String name) {
        return PoolLimits.isTypeName(new GpuTypeId(name));
    }
}
