package io.muster.kubernetes;

import static io.muster.kubernetes.support.KwokNode.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.ClusterFact.LogLines;
import io.muster.gateway.CommandOutcome;
import io.muster.gateway.ReplicaPhase;
import io.muster.gateway.ToldFacts;
import io.muster.kubernetes.support.RealCluster;
import io.muster.model.ReplicaId;
import io.muster.model.TeamId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Output of programs, from the container's log file through the API server to the observer. */
class LogFollowingTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    static final RealCluster cluster = new RealCluster();

    private final TeamId team = Attempts.someTeam();
    private final ToldFacts told = new ToldFacts();
    private final Map<ReplicaId, Path> logs = new HashMap<>();
    private KubernetesClient client;
    private KubernetesCluster adapter;

    @BeforeAll
    static void prepare() {
        assumeTrue(cluster.pods().canLog(), "logs are played from files that this cluster cannot read");
        Adapters.install(cluster.admin());
        cluster.add(node("logs-1").gpus(8));
    }

    @BeforeEach
    void connect() {
        client = Connection.open(cluster.configOf("muster", "muster"), Adapters.settings());
        start(64);
    }

    @AfterEach
    void disconnect() {
        adapter.stop();
        client.close();
        cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withGracePeriod(0)
                .delete();
    }

    private void start(int followers) {
        var usual = Adapters.settings();
        adapter = Adapters.start(
                client,
                new KubernetesProperties(
                        null,
                        null,
                        usual.installation(),
                        usual.priorityClass(),
                        usual.clusterDomain(),
                        usual.gpuResources(),
                        List.of(),
                        usual.relist(),
                        usual.silence(),
                        usual.bindTimeout(),
                        usual.clockSkew(),
                        usual.requestTimeout(),
                        usual.orphanAge(),
                        followers),
                told);
    }

    @Test
    void tenThousandLinesArriveOnceEachAndInOrder() {
        var replica = run();
        var lines = IntStream.range(0, 10_000)
                .mapToObj(i -> "step " + i + " loss " + 1.0 / (i + 1))
                .toList();
        append(replica, lines);
        await().atMost(PATIENCE).until(() -> told.lines(replica).size() >= lines.size());
        assertThat(told.lines(replica)).isEqualTo(lines);
        assertThat(told.all(LogLines.class)).allMatch(told -> told.lines().size() <= 500);
    }

    @Test
    void aProgramThatHasEndedIsReadToItsEnd() {
        var replica = run();
        append(replica, List.of("last words"));
        cluster.pods().exit(Marks.namespace(team), replica.podName(), 1, "Error");
        await().atMost(PATIENCE).until(() -> told.lines(replica).equals(List.of("last words")));
    }

    @Test
    void theLastWordsOfAPodThatIsDeletedAreNotLost() {
        var replica = run();
        append(replica, List.of("first"));
        await().atMost(PATIENCE).until(() -> told.lines(replica).size() == 1);
        append(replica, List.of("saved at step 7"));
        cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withName(replica.podName())
                .delete();
        told.awaitGone(replica, PATIENCE);
        await().atMost(PATIENCE).until(() -> told.lines(replica).equals(List.of("first", "saved at step 7")));
    }

    @Test
    void moreReplicasThanFollowersTakeTurns() {
        adapter.stop();
        start(1);
        var replicas = List.of(run(), run(), run());
        for (int round = 0; round < 2; round++) {
            int now = round;
            replicas.forEach(replica -> append(replica, List.of(replica.podName() + " round " + now)));
            await().atMost(PATIENCE)
                    .until(() -> replicas.stream()
                            .allMatch(replica -> told.lines(replica).size() == now + 1));
        }
    }

    @Test
    void afterARestartLinesKeepTheirNumbersThoughTheFirstWereRotatedAway() throws IOException {
        var replica = run();
        var first = IntStream.range(0, 60_000)
                .mapToObj(i -> "step " + i + " " + "x".repeat(40))
                .toList();
        append(replica, first);
        await().atMost(PATIENCE).until(() -> told.lines(replica).size() == first.size());
        append(replica, List.of("one more"));
        await().atMost(PATIENCE).until(() -> mark(replica) != null);
        var cursor = LogCursor.parse(mark(replica)).orElseThrow();
        adapter.stop();

        // What a kubelet does at 10 MiB: the file begins anew; of the old one only the newest lines are left for the
        // API.
        var file = logs.get(replica);
        var kept = Files.readAllLines(file).subList((int) cursor.nextLine() - 10, first.size() + 1);
        Files.write(file, kept);
        told.forget();
        start(64);
        append(replica, List.of("after the restart"));
        await().atMost(PATIENCE).until(() -> told.lines(replica).contains("after the restart"));
        var last = told.all(LogLines.class).getLast();
        assertThat(last.offset() + last.lines().size()).isEqualTo(first.size() + 2);
    }

    private String mark(ReplicaId replica) {
        return cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withName(replica.podName())
                .get()
                .getMetadata()
                .getAnnotations()
                .get(LogTail.MARK);
    }

    private ReplicaId run() {
        var spec = Attempts.of(team).on("logs-1", 1).spec();
        var replica = spec.replicas().getFirst().id();
        Adapters.namespace(cluster.admin(), team);
        logs.put(replica, cluster.pods().openLog(Marks.namespace(team), replica.podName()));
        assertThat(adapter.gateway().start(spec)).isEqualTo(new CommandOutcome.Done());
        told.awaitPhase(replica, ReplicaPhase.RUNNING, PATIENCE);
        return replica;
    }

    /** As a container runtime writes; many lines bear one stamp. */
    private void append(ReplicaId replica, List<String> lines) {
        var text = new ArrayList<String>();
        var start = Instant.now();
        for (int i = 0; i < lines.size(); i++) {
            text.add(start.plusNanos(i / 7 * 1000L) + " stdout F " + lines.get(i));
        }
        try {
            Files.write(logs.get(replica), text, java.nio.file.StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
