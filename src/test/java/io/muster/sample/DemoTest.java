package io.muster.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.model.Role;
import io.muster.sample.Demo.SampleTeam;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

class DemoTest {
    private final Demo demo = Demos.shipped();
    private final Map<String, SampleTeam> teams =
            demo.teams().stream().collect(Collectors.toMap(SampleTeam::path, Function.identity()));

    @Test
    void noTeamPromisesMoreThanTheTeamAboveIt() {
        for (String pool : List.of("h100", "a100")) {
            int inner = guaranteed("research/vision", pool) + guaranteed("research/nlp", pool);
            assertThat(inner).isLessThanOrEqualTo(guaranteed("research", pool));
        }
    }

    @Test
    void theResearcherWhomNewcomersPlayIsAPlainMember() {
        assertThat(demo.users())
                .filteredOn(user -> user.username().equals(demo.researcher()))
                .singleElement()
                .satisfies(user ->
                        assertThat(user.roles().values()).contains(Role.MEMBER).doesNotContain(Role.TEAM_ADMIN));
    }

    @Test
    void guaranteesFitTheHealthyFleet() {
        assertThat(outer("h100")).isLessThanOrEqualTo(22 * 8 + 7);
        assertThat(outer("a100")).isLessThanOrEqualTo(8 * 8);
    }

    @Test
    void everybodyWhoSubmitsMaySubmit() {
        demo.workload()
                .teams()
                .forEach(work -> work.users()
                        .forEach(user -> assertThat(rolesReaching(user, work.team()))
                                .as(user + " in " + work.team())
                                .isNotEmpty()));
        assertThat(rolesReaching(
                        demo.workload().urgent().user(),
                        demo.workload().urgent().team()))
                .isNotEmpty();
    }

    @Test
    void teamsAskOnlyPoolsInWhichTheyHaveAQuota() {
        demo.workload()
                .teams()
                .forEach(work -> assertThat(teams.get(work.team()).quotas().keySet())
                        .containsAll(work.pools().keySet()));
    }

    @Test
    void everyPoolIsKeptAtWork() {
        assertThat(demo.workload().pools())
                .extracting(Demo.PoolWork::pool)
                .containsExactlyElementsOf(
                        demo.pools().stream().map(Demo.SamplePool::id).toList());
    }

    /** A newcomer sees a shaped guarantee, elastic jobs and slices without making any. */
    @Test
    void whatSetsMusterApartIsThere() {
        assertThat(teams.values())
                .flatExtracting(team -> team.quotas().values())
                .anySatisfy(quota -> assertThat(quota.shapes()).isNotEmpty());
        assertThat(demo.workload().sizes())
                .anySatisfy(size -> assertThat(size.min()).isLessThan(size.replicas()))
                .anySatisfy(size -> assertThat(size.slices()).isNotNull());
    }

    @Test
    void aMisspeltFieldIsNoticed() {
        assertThatThrownBy(() -> Demo.parse("poolz: []")).isInstanceOf(JacksonException.class);
    }

    private Set<String> rolesReaching(String username, String team) {
        return demo.users().stream()
                .filter(user -> user.username().equals(username))
                .flatMap(user -> user.roles().entrySet().stream())
                .filter(role -> team.equals(role.getKey()) || team.startsWith(role.getKey() + "/"))
                .filter(role -> role.getValue().atLeast(Role.MEMBER))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private int outer(String pool) {
        return teams.keySet().stream()
                .filter(path -> !path.contains("/"))
                .mapToInt(path -> guaranteed(path, pool))
                .sum();
    }

    private int guaranteed(String team, String pool) {
        var quota = teams.get(team).quotas().get(pool);
        return quota == null ? 0 : quota.guaranteed();
    }
}
