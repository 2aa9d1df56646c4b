package io.muster.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.Muster;
import io.muster.model.PoolId;
import io.muster.model.QuotaShape;
import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamOrder;
import io.muster.model.TeamPath;
import io.muster.support.FreshDatabase;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootTest(classes = Muster.class)
@FreshDatabase
class TenancyAdminTest {
    private static final PoolId H100 = new PoolId("h100");

    @Autowired
    TenancyAdmin admin;

    @Autowired
    TeamDirectory teams;

    @Autowired
    TeamBook book;

    @Autowired
    People people;

    @Autowired
    TeamEditor editor;

    @Autowired
    QuotaEditor quotas;

    @Autowired
    PrincipalEditor principals;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    PlatformTransactionManager transactions;

    @Test
    void rolesReachDownTheTreeAndTheHighestCounts() {
        var top = team("roles");
        var inner = team("roles/inner");
        var side = team("side");
        var ada = admin.ensureUser(null, "ada", "Ada", false);
        admin.ensureMember(null, top, ada.id(), Role.TEAM_ADMIN);
        admin.ensureMember(null, inner, ada.id(), Role.VIEWER);

        var reader = people.reader(ada.id()).orElseThrow();

        assertThat(reader.roles()).containsEntry(top, Role.TEAM_ADMIN).containsEntry(inner, Role.TEAM_ADMIN);
        assertThat(reader.may(side, Role.VIEWER)).isFalse();
    }

    @Test
    void disabledUsersHaveNoScope() {
        var bob = admin.ensureUser(null, "bob", "Bob", false);

        principals.disable(null, bob.id());

        assertThat(people.reader(bob.id())).isEmpty();
        assertThat(people.find("bob").orElseThrow().disabled()).isTrue();
    }

    @Test
    void lastAdminCannotBeDisabled() {
        jdbc.sql("update principal set disabled_at = now() where platform_admin")
                .update();
        var root = principals.createUser(null, "last-admin", "Root", true);

        assertThatThrownBy(() -> principals.disable(null, root.id()))
                .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.kind()).isEqualTo(Refusal.Kind.CONFLICT));
    }

    @Test
    void childrenNeverPromiseMoreThanTheirParentHas() {
        var parent = team("promise");
        var one = team("promise/one");
        var two = team("promise/two");
        quota(parent, 32);
        quota(one, 20);

        assertThatThrownBy(() -> quota(two, 13)).isInstanceOfSatisfying(Refusal.class, r -> {
            assertThat(r.kind()).isEqualTo(Refusal.Kind.OVER_PROMISED);
            assertThat(r.field()).isEqualTo("guaranteed");
            assertThat(r.sentence()).contains("32", "33", "20 to promise/one", "At most 12");
        });
        quota(two, 12);
        assertThatThrownBy(() -> quota(parent, 31)).hasMessageContaining("promised 32");
        assertThat(book.quota(two, H100).orElseThrow().quota().guaranteed()).isEqualTo(12);
    }

    @Test
    void shapesAreKeptWithTheQuotaAndInItsHistory() {
        var team = team("shaped");
        var shapes = List.of(new QuotaShape(2, "node", 8), new QuotaShape(1, "rack", 32));
        quotas.set(null, new TeamQuota(team, H100, 48, null, null, 1, shapes), 0L);

        assertThat(book.quota(team, H100).orElseThrow().quota().shapes()).isEqualTo(shapes);
        assertThat(jdbc.sql("select shapes from quota_history where team_id = ? order by id desc limit 1")
                        .param(team.value())
                        .query(String.class)
                        .single())
                .contains("\"level\":\"rack\"");
        quotas.set(null, new TeamQuota(team, H100, 48, null, null, 1), null);
        assertThat(book.quota(team, H100).orElseThrow().quota().shapes()).isEmpty();
    }

    @Test
    void shapesLargerThanTheGuaranteeOrEmptyAreRefused() {
        var team = team("misshapen");
        refused(team, "shapes", new QuotaShape(3, "node", 8));
        refused(team, "shapes[1].count", new QuotaShape(1, "node", 8), new QuotaShape(0, "node", 8));
        refused(team, "shapes[0].gpus", new QuotaShape(1, "node", 0));
        assertThat(book.quota(team, H100)).isEmpty();
    }

    private void refused(TeamId team, String field, QuotaShape... shapes) {
        assertThatThrownBy(() -> quotas.set(null, new TeamQuota(team, H100, 16, null, null, 1, List.of(shapes)), 0L))
                .isInstanceOfSatisfying(
                        Refusal.class, r -> assertThat(r.field()).isEqualTo(field));
    }

    @Test
    void staleQuotaIsRefusedAndKept() {
        var team = team("stale");
        var first = quotas.set(null, new TeamQuota(team, H100, 8, null, null, 1), 0L);
        quotas.set(null, new TeamQuota(team, H100, 9, null, null, 1), first.version());

        assertThatThrownBy(() -> quotas.set(null, new TeamQuota(team, H100, 10, null, null, 1), first.version()))
                .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.kind()).isEqualTo(Refusal.Kind.STALE));
        assertThatThrownBy(() -> quotas.set(null, new TeamQuota(team, H100, 10, null, null, 1), 0L))
                .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.kind()).isEqualTo(Refusal.Kind.STALE));

        var kept = book.quota(team, H100).orElseThrow();
        assertThat(kept.quota().guaranteed()).isEqualTo(9);
        assertThat(kept.version()).isGreaterThan(first.version());
    }

    @Test
    void everyChangeLeavesItsRowInTheTrail() {
        var team = team("trail");
        quota(team, 4);
        quota(team, 6);

        var rows = jdbc.sql("select before ->> 'guaranteed' || '>' || (after ->> 'guaranteed') from audit_entry"
                        + " where subject = ? and before is not null")
                .param("quota:" + team + "/h100")
                .query(String.class)
                .list();

        assertThat(rows).containsExactly("4>6");
    }

    @Test
    void defaultsComeFromTheNearestTeamThatSetsThem() {
        var top = team("defaults");
        var inner = team("defaults/inner");
        admin.ensureDefaults(
                null,
                top,
                new TeamDefaults(
                        8000L,
                        null,
                        null,
                        Duration.ofHours(12),
                        null,
                        List.of("images.example/"),
                        16,
                        null,
                        TeamOrder.FAIR_FINISH));
        admin.ensureDefaults(null, inner, new TeamDefaults(4000L, null, null, null, null, List.of(), null, 5));
        admin.ensureVolume(null, new TeamVolume(top, "data", "shared", null, true));
        admin.ensureVolume(null, new TeamVolume(inner, "data", "own", null, false));

        assertThat(teams.defaults(inner))
                .isEqualTo(new TeamDefaults(
                        4000L,
                        null,
                        null,
                        Duration.ofHours(12),
                        null,
                        List.of("images.example/"),
                        16,
                        5,
                        TeamOrder.FAIR_FINISH));
        assertThat(teams.volumes(inner)).extracting(TeamVolume::claim).containsExactly("own");
    }

    @Test
    void teamWithOpenTeamsBelowIsNotArchived() {
        var top = team("keep");
        var inner = team("keep/inner");

        assertThatThrownBy(() -> editor.archive(null, top)).hasMessageContaining("below keep");
        editor.archive(null, inner);
        assertThat(editor.archive(null, top).archived()).isTrue();
    }

    @Test
    void seedingTwiceChangesNothing() {
        var team = team("twice");
        quota(team, 3);
        long revision = teams.revision();

        admin.ensureTeam(null, new TeamPath("twice"), "Twice");
        admin.ensureQuota(null, new TeamQuota(team, H100, 3, null, null, 1));

        assertThat(teams.revision()).isEqualTo(revision);
    }

    @Test
    void whatIsNotCommittedIsSeenByItsOwnTransactionAlone() {
        var tx = new TransactionTemplate(transactions);
        tx.executeWithoutResult(status -> {
            admin.ensureTeam(null, new TeamPath("ghost"), "Ghost");
            assertThat(teams.find(new TeamPath("ghost"))).isPresent();
            status.setRollbackOnly();
        });
        assertThat(teams.find(new TeamPath("ghost"))).isEmpty();

        // Draws the very number that was rolled back.
        jdbc.sql("update team set display_name = display_name").update();
        assertThat(teams.find(new TeamPath("ghost"))).isEmpty();
    }

    private TeamId team(String path) {
        return admin.ensureTeam(null, new TeamPath(path), path).id();
    }

    private void quota(TeamId team, int guaranteed) {
        admin.ensureQuota(null, new TeamQuota(team, H100, guaranteed, (@Nullable Integer) null, null, 1));
    }
}
