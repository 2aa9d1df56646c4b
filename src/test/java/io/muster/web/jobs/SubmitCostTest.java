package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.support.CountedDatabase;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import io.muster.tenancy.TeamDefaults;
import io.muster.tenancy.TenancyAdmin;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

/** What one submission asks of the database, which is what it costs when many come at once. */
@RestTest
@Import({CountedDatabase.class, RestGround.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubmitCostTest {
    @Autowired
    private RestGround rest;

    @Autowired
    private TenancyAdmin tenancy;

    @Autowired
    private Ground ground;

    @BeforeAll
    void settle() {
        ground.pool();
        TeamId vision = rest.team("vision");
        rest.member("ada", vision, Role.MEMBER);
        TeamId capped = rest.team("capped");
        rest.member("ada", capped, Role.MEMBER);
        tenancy.ensureDefaults(null, capped, new TeamDefaults(null, null, null, null, null, List.of(), null, 50));
        // Caches are filled and the token's use is noted, which happens once a minute.
        rest.submit("ada", yaml("warm", "vision", 1));
        rest.submit("ada", yaml("warm", "capped", 1));
    }

    @Test
    void aSubmissionIsOneStatementThatReadsAndOneThatWrites() {
        CountedDatabase.sent();
        assertThat(rest.submit("ada", yaml("x", "vision", 1), "cost-1").status())
                .isEqualTo(201);
        List<String> sent = CountedDatabase.sent();
        assertThat(sent).hasSize(2);
        assertThat(sent.get(0)).contains("revision_mark").contains("api_token");
        assertThat(sent.get(1)).contains("insert into job ").contains("idempotency_key");
    }

    @Test
    void whoMayHaveSoManyWaitingJobsTakesATurnFirst() {
        CountedDatabase.sent();
        assertThat(rest.submit("ada", yaml("x", "capped", 1), "cost-2").status())
                .isEqualTo(201);
        List<String> sent = CountedDatabase.sent();
        assertThat(sent).as("who asks; a turn, the job and their commit").hasSize(4);
        assertThat(sent.get(1)).contains("pg_advisory_xact_lock");
        assertThat(sent.get(3)).isEqualTo("commit");
    }

    @Test
    void aRepeatedSubmissionReadsWhatTheFirstOneStored() {
        var first = rest.submit("ada", yaml("x", "vision", 1), "cost-3");
        CountedDatabase.sent();
        var again = rest.submit("ada", yaml("x", "vision", 1), "cost-3");
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.body())
                .as("told from memory and told from the database")
                .isEqualTo(first.body());
        assertThat(CountedDatabase.sent()).hasSize(3);
    }

    @Test
    void aChangeOfRolesCountsFromTheNextRequestOn() {
        TeamId late = rest.team("late");
        assertThat(rest.submit("ada", yaml("x", "late", 1)).fields()).isEqualTo("team");
        rest.member("ada", late, Role.MEMBER);
        assertThat(rest.submit("ada", yaml("x", "late", 1)).status()).isEqualTo(201);
    }
}
