package io.muster.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.Muster;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.model.TeamOrder;
import io.muster.support.FreshDatabase;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

@SpringBootTest(classes = Muster.class)
@FreshDatabase
class PolicyAdminTest {
    @Autowired
    PolicyBook book;

    @Autowired
    PolicyAdmin admin;

    @Autowired
    ModeSwitch modes;

    @Autowired
    JdbcClient jdbc;

    @Test
    void newInstallationRunsWhatIsShippedAsRevisionOne() {
        var first = admin.revisions(10).getLast();

        assertThat(first.number()).isEqualTo(1);
        assertThat(first.values()).isEqualTo(PolicyValues.SHIPPED);
    }

    @Test
    void valuesThatAnOldRevisionLacksAreThoseShipped() {
        var values = new PolicyBody().read("{\"reservationDepth\": 3, \"gone\": 1}");

        assertThat(values.reservationDepth()).isEqualTo(3);
        assertThat(values.minRuntime()).isEqualTo(PolicyValues.SHIPPED.minRuntime());
        assertThat(values.order()).isEqualTo(TeamOrder.FIFO);
    }

    @Test
    void grantReachesTheTeamsBelow() {
        TeamId top = team(null, "granted");
        TeamId inner = team(top, "granted/inner");
        TeamId side = team(null, "not-granted");

        admin.ensureGrant(null, "muster", "production", top);

        assertThat(book.granted("production", top)).isTrue();
        assertThat(book.granted("production", inner)).isTrue();
        assertThat(book.granted("production", side)).isFalse();
        TeamId later = team(inner, "granted/inner/later");
        assertThat(book.granted("production", later)).isTrue();
    }

    @Test
    void classIsChangedWithItsCapsAndGrants() {
        admin.setClass(
                null,
                "muster",
                new PolicyAdmin.ClassWish(
                        "batch", -50, PriorityClass.UsableBy.MEMBER, true, Map.of(new PoolId("h100"), 8), Set.of()));
        admin.setClass(
                null,
                "muster",
                new PolicyAdmin.ClassWish("batch", -60, PriorityClass.UsableBy.MEMBER, true, Map.of(), Set.of()));

        var batch = book.priorityClass("batch").orElseThrow();
        assertThat(batch.value()).isEqualTo(-60);
        assertThat(batch.caps()).isEmpty();
        assertThat(book.classes())
                .extracting(PriorityClass::name)
                .startsWith("production")
                .endsWith("low");
    }

    @Test
    void modeIsOrderedOnceAndEndsWithAReason() {
        var pool = new PoolId("h100");
        modes.order(null, "ada", ModeEntry.Mode.PAUSED, pool, null, "switch replaced");

        assertThat(book.mode().pausedPools().get(pool).why()).isEqualTo("switch replaced");
        assertThat(book.mode().paused()).isNull();
        assertThatThrownBy(() -> modes.order(null, "ada", ModeEntry.Mode.PAUSED, pool, null, "again"))
                .isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> modes.order(null, "ada", ModeEntry.Mode.SAFE, pool, null, "x"))
                .isInstanceOfSatisfying(
                        Refusal.class, r -> assertThat(r.field()).isEqualTo("pool"));

        modes.end(null, "ada", modes.inForce().getFirst().id(), "done");
        assertThat(book.mode().pausedPools()).isEmpty();
    }

    @Test
    void senselessValuesAreRefusedByName() {
        var shipped = new PolicyBody().read("{\"reclaimPercent\": 101}");

        assertThatThrownBy(() -> admin.revise(null, "ada", shipped, "test"))
                .isInstanceOfSatisfying(
                        Refusal.class, r -> assertThat(r.field()).isEqualTo("values.reclaimPercent"));
    }

    private TeamId team(@org.jspecify.annotations.Nullable TeamId parent, String path) {
        var id = new TeamId(UUID.randomUUID());
        jdbc.sql("insert into team (id, parent_id, name, path, display_name) values (?, ?::uuid, ?, ?, ?)")
                .params(
                        id.value(),
                        parent == null ? null : parent.toString(),
                        path.substring(path.lastIndexOf('/') + 1),
                        path,
                        path)
                .update();
        return id;
    }
}
