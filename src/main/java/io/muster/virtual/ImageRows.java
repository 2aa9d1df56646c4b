package io.muster.virtual;

import io.muster.database.SqlInstant;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.ReplicaSpec;
import io.muster.model.NodeId;
import io.muster.simulation.Behaviour;
import io.muster.simulation.Images;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which node has which image since when. */
final class ImageRows {
    private final JdbcClient jdbc;
    private final long seed;

    ImageRows(JdbcClient jdbc, long seed) {
        this.jdbc = jdbc;
        this.seed = seed;
    }

    /** How long each replica waits for its image, now that this or an earlier pod has made its node pull it. */
    List<Duration> pulls(List<AttemptSpec> attempts, Instant now) {
        Map<NodeImage, Instant> ready = ready(attempts);
        var news = new LinkedHashMap<NodeImage, Instant>();
        var pulls = new ArrayList<Duration>();
        for (AttemptSpec attempt : attempts) {
            Behaviour behaviour = Behaviour.of(attempt.attempt(), seed, Admission.env(attempt));
            for (ReplicaSpec replica : attempt.replicas()) {
                Instant at = ready.computeIfAbsent(new NodeImage(replica.node(), replica.image()), image -> {
                    Instant pulled = pulled(image, behaviour, now);
                    news.put(image, pulled);
                    return pulled;
                });
                Duration left = Duration.between(now, at);
                pulls.add(left.compareTo(Images.CACHED) > 0 ? left : Images.CACHED);
            }
        }
        keep(news);
        return pulls;
    }

    private record NodeImage(NodeId node, String image) {}

    private Map<NodeImage, Instant> ready(List<AttemptSpec> attempts) {
        var ready = new HashMap<NodeImage, Instant>();
        jdbc.sql("select node, image, ready_at from virtual_image where node = any(:nodes) and image = any(:images)")
                .param(
                        "nodes",
                        Admission.all(attempts, r -> r.node().value())
                                .distinct()
                                .toArray(String[]::new))
                .param(
                        "images",
                        Admission.all(attempts, ReplicaSpec::image).distinct().toArray(String[]::new))
                .query(row -> {
                    ready.put(
                            new NodeImage(new NodeId(row.getString(1)), row.getString(2)),
                            SqlInstant.read(row, "ready_at"));
                });
        return ready;
    }

    private Instant pulled(NodeImage image, Behaviour behaviour, Instant now) {
        return now.plus(
                behaviour.pull() != null ? behaviour.pull() : Images.firstPull(seed, image.node(), image.image()));
    }

    private void keep(Map<NodeImage, Instant> news) {
        if (!news.isEmpty()) {
            jdbc.sql("""
                    insert into virtual_image (node, image, ready_at)
                    select * from unnest(:nodes::text[], :images::text[], :ready::timestamptz[]) order by 1, 2
                    on conflict do nothing
                    """)
                    .param(
                            "nodes",
                            news.keySet().stream().map(i -> i.node().value()).toArray(String[]::new))
                    .param(
                            "images",
                            news.keySet().stream().map(NodeImage::image).toArray(String[]::new))
                    // The driver has no arrays of instants; Postgres reads them.
                    .param(
                            "ready",
                            news.values().stream().map(Instant::toString).toArray(String[]::new))
                    .update();
        }
    }
}
