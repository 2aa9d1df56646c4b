package io.muster.inventory;

import io.muster.database.Followed;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What nodes are matched against, without the nodes: reports come by the thousand. */
@Component
class Catalogue {
    private final Followed<NodeMatching> matching;

    Catalogue(JdbcClient jdbc) {
        var rows = new FleetRows(jdbc);
        matching = Followed.of(
                jdbc,
                () -> new NodeMatching(
                        rows.pools().stream().map(FleetState.Versioned::value).toList(),
                        rows.types().stream().map(FleetState.Versioned::value).toList()),
                "catalogue_revision");
    }

    NodeMatching matching() {
        return matching.get();
    }
}
