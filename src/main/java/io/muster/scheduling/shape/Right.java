package io.muster.scheduling.shape;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import org.jspecify.annotations.Nullable;

/** By which shape a claim has a right to whole domains, and whom that right may ask to yield. */
public final class Right {
    private final Draft draft;
    private final Owned owned;

    private Right(Draft draft, Owned owned) {
        this.draft = draft;
        this.owned = owned;
    }

    /** The right of a job of a shape that its team, or one above, has left within its guarantee; null: it has none. */
    public static @Nullable Right of(Draft draft, Claimant claimant, int pool) {
        for (var owned : draft.kept().shapes()) {
            if (owned.pool() == pool
                    && owned.isOf(claimant.leaf(), draft.problem().tree())) {
                int domains = owned.domains(claimant.gang(), claimant.facts().topology());
                if (domains > 0
                        && domains <= left(draft, owned, claimant, domains)
                        && Standing.isGuaranteed(draft.shares(pool), owned.owner(), claimant.gpus())) {
                    return new Right(draft, owned);
                }
            }
        }
        return null;
    }

    /** Domains that others leave it: what was promised to the job itself and is given up counts as left. */
    private static int left(Draft draft, Owned owned, Claimant claimant, int domains) {
        var use = draft.kept().inUse();
        use.follow(draft.decisions());
        return use.left(owned) + (use.isCovered(claimant.id()) ? domains : 0);
    }

    /** The level whose domains are cleared. */
    public int level() {
        return owned.level();
    }

    /** True when the job has to yield to it: one of others that stands in no domain of a shape of its own team. */
    public boolean mayAsk(Occupant victim) {
        return victim.pool() == owned.pool()
                && !owned.isOf(victim.leaf(), draft.problem().tree())
                && !victim.facts().acrossTeams()
                && !draft.isLeaving(victim)
                && !draft.kept().inUse().isCovered(victim.id());
    }
}
