package io.muster.policy;

import io.muster.database.Followed;
import io.muster.model.TeamId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Answers every read of policy from one state that follows its tables, and the tree of teams for grants. */
@Component
class CachedPolicyBook implements PolicyBook {
    private final Followed<PolicyState> state;

    /** @param first needed before the first read: a policy is always in force */
    CachedPolicyBook(JdbcClient jdbc, FirstPolicy first) {
        var rows = new PolicyRows(jdbc);
        state = Followed.of(jdbc, rows::load, "policy_change", "tenancy_revision");
    }

    PolicyState state() {
        return state.get();
    }

    @Override
    public PolicyRevision current() {
        return state().current();
    }

    @Override
    public List<PriorityClass> classes() {
        return state().classes();
    }

    @Override
    public Optional<PriorityClass> priorityClass(String name) {
        return classes().stream().filter(c -> c.name().equals(name)).findFirst();
    }

    @Override
    public boolean granted(String priorityClass, TeamId team) {
        return state().granted().getOrDefault(priorityClass, Set.of()).contains(team);
    }

    @Override
    public OperatingMode mode() {
        return state().mode();
    }

    @Override
    public long revision() {
        return state.revision();
    }
}
