package io.muster.web.view;

import java.util.List;

/** A pool's domains on every level but the nodes themselves, in GPUs; {@code path} from the outermost level. */
public record TopologyView(String pool, List<String> levels, List<Domain> domains) {

    public record Domain(String level, List<String> path, int nodes, int total, int free) {}
}
