package io.muster.scheduling.placement;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.placement.Site.site;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.model.GroupShape;
import io.muster.model.NodeId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.topology.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Places that were kept, and wishes of topology, read again: the partition in question is not the fleet's first. */
class LayoutTest {
    private final Site site = site(cluster()
                    .rack("r0", node("old").type("A100"))
                    .rack("", node("lone"))
                    .rack("r1", nodes("a", 2))
                    .rack("r2", nodes("b", 2)))
            .in(1);

    private @Nullable Layout kept(Job job, String... on) {
        var placements = new ArrayList<ReplicaPlacement>();
        var each = Site.facts(job).groups().getFirst().each();
        for (int i = 0; i < on.length; i++) {
            placements.add(new ReplicaPlacement("main", i, new NodeId(on[i]), each));
        }
        return Layout.of(Site.gang(job), placements, site.fleet);
    }

    @Test
    void aKeptPlaceIsOfTheFinestDomainThatHoldsIt() {
        var gang = job(1).replicas(2).gpus(4);
        assertThat(kept(gang, "a2", "a2").level()).isEqualTo(1);
        assertThat(kept(gang, "b1", "b2").level()).isZero();
        assertThat(kept(gang, "b1", "b2").domain()).isEqualTo(1);
        assertThat(kept(gang, "a1", "b2").level()).isEqualTo(Partition.WHOLE);
        assertThat(kept(gang, "lone", "a1").level()).isEqualTo(Partition.WHOLE);
        assertThat(kept(gang, "a1", "lone").level()).isEqualTo(Partition.WHOLE);
    }

    @Test
    void aKeptPlaceThatIsNotOneOfTheGangIsNone() {
        var gang = job(1).replicas(2).gpus(4);
        assertThat(kept(gang, "a1")).isNull();
        assertThat(kept(gang, "a1", "a1", "a2")).isNull();
        assertThat(kept(gang, "a1", "gone")).isNull();
        assertThat(kept(gang, "a1", "old")).isNull();
        var others = List.of(
                new ReplicaPlacement("main", 0, new NodeId("a1"), Resources.gpus(2)),
                new ReplicaPlacement("main", 1, new NodeId("a1"), Resources.gpus(2)));
        assertThat(Layout.of(Site.gang(gang), others, site.fleet)).isNull();
    }

    @Test
    void aKeptPlaceHoldsEverySliceWhole() {
        var gang = job(1).replicas(4).gpus(4).slices(2, "rack");
        assertThat(kept(gang, "a1", "a2", "b1", "b2")).isNotNull();
        assertThat(kept(gang, "a1", "a2", "a2", "b1")).isNull();
        assertThat(kept(gang, "a1", "a2", "lone", "lone")).isNull();
        assertThat(kept(job(1).replicas(2).gpus(4).slices(2, "block"), "a1", "a1"))
                .isNull();
    }

    @Test
    void nodesAreNamedOnceInTheOrderOfTheTree() {
        var layout = site.place(job(1).replicas(6).gpus(4));
        assertThat(layout.nodes()).containsExactly(2, 3, 4, 5);
    }

    @Test
    void aGroupOfNegativeWishesIsNoGang() {
        for (var each : List.of(new Resources(-1, 0, 0), new Resources(0, -1, 0), new Resources(0, 0, -1))) {
            assertThatThrownBy(() -> new Gang(List.of(new GroupShape("main", 1, each))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void kindsWithLargerSlicesComeFirstThenByTheNameOfTheirLevel() {
        var gang = Site.gang(job(1).group("a", 4, Resources.gpus(1), 2, "rack")
                .group("b", 4, Resources.gpus(1), 4, "rack")
                .group("c", 4, Resources.gpus(1), 4, "node")
                .group("d", 1, Resources.gpus(1)));
        assertThat(gang.kinds())
                .extracting(k -> k.slices() == null
                        ? "none"
                        : k.slices().size() + " in a " + k.slices().level())
                .containsExactly("4 in a node", "4 in a rack", "2 in a rack", "none");
    }

    @Test
    void aPreferenceThatThePoolCannotMeetIsNotAWish() {
        var none = site.wish(job(1).prefer("block", Duration.ofHours(1)));
        assertThat(none.asked()).isFalse();
        assertThat(none.relaxesAt()).isNull();
        assertThat(site.wish(job(1).prefer("rack", Duration.ZERO)).asked()).isTrue();
        assertThat(site.wish(job(1).require("rack")).asked()).isTrue();
        assertThat(site.wish(job(1).require("block"))).isNull();
    }

    @Test
    void preferringWhatIsRequiredAnywayWaitsForNothing() {
        var wish = site.wish(job(1).require("rack").prefer("rack", Duration.ofHours(1)));
        assertThat(wish.relaxesAt()).isNull();
        assertThat(site.wish(job(1).require("rack").prefer("node", Duration.ofHours(1)))
                        .relaxesAt())
                .isEqualTo(Job.NOW.plus(Duration.ofHours(1)));
    }

    @Test
    void aNodeWithoutTheRequiredLabelHoldsNothingEvenOfAFinerLevel() {
        var wish = site.wish(job(1).require("rack").prefer("node", Duration.ofHours(1)));
        assertThat(wish.isLabelled(site.partition(), site.number("lone"))).isFalse();
        assertThat(wish.isLabelled(site.partition(), site.number("a1"))).isTrue();
        assertThat(site.wish(job(1).require("rack")).isLabelled(site.partition(), site.number("lone")))
                .isFalse();
    }
}
