package io.muster.scheduling.fairshare;

import static io.muster.scheduling.build.Cluster.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.TeamId;
import io.muster.model.TeamOrder;
import io.muster.model.TeamPath;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.snapshot.TeamView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TeamTreeTest {

    private static TeamTree tree(Cluster teams, String... withJobs) {
        return new TeamTree(
                teams.snapshot().teams(),
                Set.of(withJobs).stream().map(Ids::team).collect(Collectors.toSet()));
    }

    private static List<String> paths(TeamTree tree) {
        return IntStream.range(0, tree.size())
                .mapToObj(i -> tree.team(i).path().value())
                .toList();
    }

    private static TeamView view(String name, String parent) {
        return new TeamView(Ids.team(name), Ids.team(parent), new TeamPath(name), Map.of(), null);
    }

    @Test
    void parentsComeFirstThenByPathWhateverTheOrderGiven() {
        var teams = cluster()
                .team("b/x")
                .team("a/y")
                .team("a/x/deep")
                .team("b")
                .team("a")
                .team("a/x");
        var tree = tree(teams);
        assertThat(paths(tree)).containsExactly("a", "b", "a/x", "a/y", "b/x", "a/x/deep");
        assertThat(IntStream.range(0, 6).map(tree::depth)).containsExactly(0, 0, 1, 1, 1, 2);
        assertThat(IntStream.range(0, 6).map(tree::parent)).containsExactly(-1, -1, 0, 0, 1, 2);
        assertThat(tree.below(TeamTree.NO_PARENT)).containsExactly(0, 1);
        assertThat(tree.below(0)).containsExactly(2, 3);
        assertThat(IntStream.range(0, 6).filter(tree::isLeaf)).containsExactly(3, 4, 5);
    }

    @Test
    void onlyAnInnerTeamWithJobsGetsAChildForThem() {
        var tree = tree(cluster().team("r").team("r/a").team("s").team("s/a"), "r", "r/a");
        assertThat(paths(tree)).containsExactly("r", "s", "r/a", "s/a", "r");
        assertThat(IntStream.range(0, 5).filter(tree::isOwn)).containsExactly(4);
        assertThat(tree.leaf(Ids.team("r"))).isEqualTo(4);
        assertThat(tree.number(Ids.team("r"))).isZero();
        assertThat(tree.parent(4)).isZero();
        assertThat(tree.leaf(Ids.team("r/a"))).isEqualTo(tree.number(Ids.team("r/a")));
        assertThat(tree.leaf(Ids.team("s"))).isEqualTo(1);
        assertThat(tree.leaf(Ids.team("archived"))).isEqualTo(-1);
        assertThat(tree.number(Ids.team("archived"))).isEqualTo(-1);
    }

    @Test
    void aTeamWhoseParentIsArchivedStandsAtTheTop() {
        var tree = new TeamTree(List.of(view("a", "gone")), Set.of());
        assertThat(tree.parent(0)).isEqualTo(TeamTree.NO_PARENT);
        assertThat(tree.depth(0)).isZero();
    }

    @Test
    void aLoopInTheDataHangsNothing() {
        var tree = new TeamTree(List.of(view("a", "b"), view("b", "a")), Set.of());
        assertThat(paths(tree)).containsExactly("a", "b");
        assertThat(tree.parent(0)).isEqualTo(TeamTree.NO_PARENT);
        assertThat(tree.parent(1)).isZero();
    }

    @Test
    void theLowestTeamAboveBothIsTheirCommonOne() {
        var tree = tree(cluster()
                .team("r")
                .team("r/a")
                .team("r/b")
                .team("r/a/x")
                .team("r/a/y")
                .team("s"));
        assertThat(common(tree, "r/a/x", "r/a/y")).isEqualTo("r/a");
        assertThat(common(tree, "r/a/x", "r/b")).isEqualTo("r");
        assertThat(common(tree, "r/b", "r/a/x")).isEqualTo("r");
        assertThat(common(tree, "r/a", "r/a/x")).isEqualTo("r/a");
        assertThat(common(tree, "r/b", "r/b")).isEqualTo("r/b");
        assertThat(common(tree, "r/a/x", "s")).isEqualTo("nobody");
        assertThat(common(tree, "s", "r/a/x")).isEqualTo("nobody");
    }

    private static String common(TeamTree tree, String a, String b) {
        int common = tree.commonAncestor(number(tree, a), number(tree, b));
        return common == TeamTree.NO_PARENT
                ? "nobody"
                : tree.team(common).path().value();
    }

    private static int number(TeamTree tree, String path) {
        TeamId team = Ids.team(path);
        return tree.number(team);
    }

    @Test
    void numbersStayTheSameAsLongAsTeamsAndWhoHasJobsDo() {
        var teams = cluster().team("r").team("r/a");
        var tree = tree(teams, "r");
        assertThat(tree.hasSameNumbers(tree(teams, "r"))).isTrue();
        assertThat(tree.hasSameNumbers(tree(teams))).isFalse();
        assertThat(tree.hasSameNumbers(tree(cluster().team("r").team("r/b"), "r")))
                .isFalse();
        assertThat(tree.hasSameNumbers(tree(cluster().team("r").team("r/a").team("s"), "r")))
                .isFalse();
    }

    @Test
    void anotherOrderInOneTeamIsNoticed() {
        var tree = tree(cluster().team("a").team("b"));
        assertThat(tree.hasSameOrders(tree(cluster().team("a").team("b")))).isTrue();
        assertThat(tree.hasSameOrders(tree(cluster().team("a").team("b").order("b", TeamOrder.FAIR_FINISH))))
                .isFalse();
        assertThat(tree.hasSameOrders(tree(cluster().team("a")))).isFalse();
    }
}
