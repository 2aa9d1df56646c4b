package io.muster.inventory;

import io.muster.database.Followed;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Answers every read of the inventory from one state that follows the revision of its tables. */
@Component
class CachedFleet implements Fleet, FleetBook {
    private final Followed<FleetState> state;

    CachedFleet(JdbcClient jdbc) {
        var rows = new FleetRows(jdbc);
        state = Followed.of(jdbc, rows::load, "inventory_revision");
    }

    @Override
    public List<Pool> pools() {
        return state.get().pools;
    }

    @Override
    public Optional<Pool> pool(PoolId id) {
        return Optional.ofNullable(state.get().poolById.get(id)).map(FleetState.Versioned::value);
    }

    @Override
    public List<GpuType> gpuTypes() {
        return state.get().types;
    }

    @Override
    public Optional<GpuType> gpuType(GpuTypeId id) {
        return Optional.ofNullable(state.get().typeById.get(id)).map(FleetState.Versioned::value);
    }

    @Override
    public List<Node> nodes() {
        return state.get().nodes;
    }

    @Override
    public Optional<Node> node(NodeId id) {
        return Optional.ofNullable(state.get().nodeById.get(id));
    }

    @Override
    public long revision() {
        return state.revision();
    }

    @Override
    public long version(PoolId pool) {
        var found = state.get().poolById.get(pool);
        return found == null ? 0 : found.version();
    }

    @Override
    public long version(GpuTypeId type) {
        var found = state.get().typeById.get(type);
        return found == null ? 0 : found.version();
    }

    @Override
    public List<UnassignedNode> unassigned() {
        return state.get().unassigned;
    }
}
