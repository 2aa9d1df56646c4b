package io.muster.scheduling.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.scheduling.NeverFits;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.plan.ShareRow;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.ReservationView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A head's reservation, once given, goes only with its job, its nodes, or what its team can be given at all. */
final class Reservations {
    private final SimWorld world;
    private final List<ShareRow> shares;

    private Reservations(SimWorld world, List<ShareRow> shares) {
        this.world = world;
        this.shares = shares;
    }

    /** To be asked before the plan is carried out. */
    static void check(SimWorld world, SchedulingPlan plan, String when) {
        var reservations = new Reservations(world, plan.shares());
        for (var decision : plan.decisions()) {
            var view = decision instanceof Decision.Unreserve u ? world.reservations.get(u.job()) : null;
            if (view != null && view.kind() == ReservationView.Kind.HEAD && !isExchanged(plan, view)) {
                assertThat(reservations.isLost(view))
                        .as(when + " " + decision + " has a cause")
                        .isTrue();
            }
        }
    }

    /** The job starts or has something else kept for it, or a claim with victims took its place. */
    private static boolean isExchanged(SchedulingPlan plan, ReservationView view) {
        return plan.decisions().stream()
                .anyMatch(d ->
                        d.job().equals(view.job()) && (d instanceof Decision.Start || d instanceof Decision.Reserve)
                                || d instanceof Decision.Reserve r
                                        && r.kind() == Decision.Reserve.Kind.VICTIMS
                                        && r.pool().equals(view.pool()));
    }

    private boolean isLost(ReservationView view) {
        var job = world.jobs.get(view.job());
        return job == null
                || job.at != SimJob.At.WAITING
                || job.backoffUntil != null && job.backoffUntil.isAfter(world.now)
                || view.placements().stream()
                        .anyMatch(p -> world.nodes.stream().noneMatch(n -> n.id().equals(p.node())))
                || NeverFits.check(
                                world.pools.stream()
                                        .filter(p -> p.id().equals(view.pool()))
                                        .toList(),
                                world.nodes.stream()
                                        .filter(n -> n.takesReplicas() && !job.excluded.contains(n.id()))
                                        .map(Reservations::withoutForeignPods)
                                        .toList(),
                                job.facts)
                        .isPresent()
                || isBeyondItsTeam(view, job);
    }

    /** The node as large as what foreign pods leave of it: when those go, nobody knows. */
    private static NodeView withoutForeignPods(NodeView n) {
        return new NodeView(
                n.id(),
                n.pool(),
                n.gpuType(),
                n.gpuMemoryMib(),
                n.allocatable().minus(n.foreign()),
                Resources.NONE,
                n.domain(),
                n.takesReplicas());
    }

    private boolean isBeyondItsTeam(ReservationView view, SimJob job) {
        var own = job.facts.team();
        if (world.teams.stream().anyMatch(t -> own.equals(t.parent()))) {
            return true; // an inner team's own jobs are one more child, whose numbers no row shows
        }
        if (!job.facts.preemptible() && job.facts.gpus() > row(view, own).guaranteed()) {
            return true;
        }
        for (TeamId team = own; team != null; team = parent(team)) {
            var row = row(view, team);
            int bound = Math.max(row.entitlement(), row.guaranteed());
            boolean limited = row.limit() != null && job.facts.gpus() > row.limit();
            if (job.facts.gpus() > bound || limited) {
                return true;
            }
        }
        return world.teams.stream()
                .anyMatch(t -> t.id().equals(own) && t.userCap() != null && job.facts.gpus() > t.userCap());
    }

    private @Nullable TeamId parent(TeamId team) {
        return world.teams.stream()
                .filter(t -> t.id().equals(team))
                .findFirst()
                .orElseThrow()
                .parent();
    }

    private ShareRow row(ReservationView view, TeamId team) {
        return shares.stream()
                .filter(r -> r.team().equals(team) && r.pool().equals(view.pool()))
                .findFirst()
                .orElseThrow();
    }
}
