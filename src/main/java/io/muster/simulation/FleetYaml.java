package io.muster.simulation;

import io.muster.gateway.ClusterFact.Taint;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** A fleet as people write it; the form is described in {@code docs/virtual-cluster.md}. */
public final class FleetYaml {
    private static final int MOST_NODES = 20_000;
    private static final YAMLMapper MAPPER = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .build();

    private FleetYaml() {}

    /** The nodes of the fleet; {@code source} names the text in errors. */
    public static List<FleetNode> parse(String source, String yaml) {
        try {
            Fleet fleet = MAPPER.readValue(yaml, Fleet.class);
            if (fleet == null) {
                throw new BadFleetException(source + ": the fleet is empty", null);
            }
            return nodes(source, fleet);
        } catch (JacksonException e) {
            throw new BadFleetException(source + place(e) + ": " + sentence(e), e);
        }
    }

    private static List<FleetNode> nodes(String source, Fleet fleet) {
        List<FleetNode> nodes = fleet.pools().stream()
                .flatMap(pool -> pool.toModel().nodes().stream())
                .toList();
        var names = new TreeSet<NodeId>();
        for (FleetNode node : nodes) {
            if (!names.add(node.id())) {
                throw new BadFleetException(source + ": two nodes are called " + node.id(), null);
            }
        }
        for (Pool pool : fleet.pools()) {
            for (Oddity oddity : pool.oddities()) {
                if (!names.contains(new NodeId(oddity.node()))) {
                    throw new BadFleetException(
                            source + ": pool " + pool.name() + " has no node " + oddity.node() + " to be odd", null);
                }
            }
        }
        if (nodes.size() > MOST_NODES) {
            throw new BadFleetException(source + ": " + nodes.size() + " nodes are more than " + MOST_NODES, null);
        }
        return nodes;
    }

    private static String place(JacksonException e) {
        TokenStreamLocation at = e.getLocation();
        return at == null || at.getLineNr() < 1 ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    private static String sentence(JacksonException e) {
        Throwable said = e instanceof DatabindException && e.getCause() != null ? e.getCause() : e;
        String message = said instanceof JacksonException jackson ? jackson.getOriginalMessage() : said.getMessage();
        String path =
                e.getPath().isEmpty() ? "" : " (at " + e.getPathReference().replaceAll("[\\w.$]+\\[", "[") + ")";
        return message + path;
    }

    record Fleet(List<Pool> pools) {
        Fleet {
            require(pools != null && !pools.isEmpty(), "a fleet has a list of 'pools', at least one");
        }
    }

    record Pool(
            String name,
            @Nullable String zone,
            Machine machine,
            List<Block> blocks,
            @Nullable List<Oddity> oddities) {
        Pool {
            require(
                    name != null && name.matches("[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?"),
                    "a pool's 'name' is a short slug");
            require(machine != null, "pool " + name + " needs its 'machine'");
            require(blocks != null && !blocks.isEmpty(), "pool " + name + " needs 'blocks', at least one");
            oddities = oddities == null ? List.of() : oddities;
        }

        FleetPool toModel() {
            var odd = new TreeMap<NodeId, FleetPool.Oddity>();
            oddities().forEach(o -> odd.put(new NodeId(o.node()), o.toModel()));
            return new FleetPool(
                    name,
                    machine.toModel(),
                    zone == null ? "zone-a" : zone,
                    blocks.stream().map(Block::toModel).toList(),
                    odd);
        }

        @Override
        public List<Oddity> oddities() {
            return Objects.requireNonNull(oddities);
        }
    }

    record Machine(
            @Nullable Integer gpus,
            String product,
            String gpuMemory,
            @Nullable String gpuResource,
            String cpus,
            String memory,
            @Nullable Foreign foreign,
            @Nullable Map<String, String> labels,
            @Nullable List<Taint> taints) {
        Machine {
            require(
                    gpus != null && gpus >= 0 && gpus <= 72,
                    "a machine has 0 to 72 'gpus', not " + (gpus == null ? "none given" : gpus));
            require(product != null, "a machine names its GPU 'product'");
            require(
                    gpuMemory != null && cpus != null && memory != null,
                    "a machine has 'gpuMemory', 'cpus' and 'memory'");
            Quantity.parse(gpuMemory);
            Quantity.parse(cpus);
            Quantity.parse(memory);
        }

        FleetPool.Machine toModel() {
            return new FleetPool.Machine(
                    gpuResource == null ? "nvidia.com/gpu" : gpuResource,
                    product,
                    Quantity.parse(gpuMemory).whole() >> 20,
                    new Resources(
                            Objects.requireNonNull(gpus),
                            Quantity.parse(cpus).thousandths(),
                            Quantity.parse(memory).whole()),
                    foreign == null ? Resources.NONE : foreign.toModel(),
                    labels == null ? Map.of() : labels,
                    taints == null ? List.of() : taints);
        }
    }

    record Foreign(
            @Nullable Integer gpus,
            @Nullable String cpus,
            @Nullable String memory) {
        Foreign {
            require(gpus == null || gpus >= 0, "foreign 'gpus' are not negative");
            Quantity.parse(cpus == null ? "0" : cpus);
            Quantity.parse(memory == null ? "0" : memory);
        }

        Resources toModel() {
            return new Resources(
                    gpus == null ? 0 : gpus,
                    Quantity.parse(cpus == null ? "0" : cpus).thousandths(),
                    Quantity.parse(memory == null ? "0" : memory).whole());
        }
    }

    record Block(String name, List<Rack> racks) {
        Block {
            require(name != null, "a block has a 'name'");
            require(racks != null && !racks.isEmpty(), "block " + name + " needs 'racks', at least one");
        }

        FleetPool.Block toModel() {
            return new FleetPool.Block(name, racks.stream().map(Rack::toModel).toList());
        }
    }

    /** {@code nvlink} is what one NVLink domain spans: node (as usual) or rack. */
    record Rack(
            String name, @Nullable Integer nodes, @Nullable String nvlink) {
        Rack {
            require(name != null, "a rack has a 'name'");
            require(nodes != null && nodes > 0, "rack " + name + " has at least one of 'nodes'");
            require(
                    nvlink == null || nvlink.equals("node") || nvlink.equals("rack"),
                    "'nvlink' spans a node or a rack, not " + nvlink);
        }

        FleetPool.Rack toModel() {
            return new FleetPool.Rack(name, Objects.requireNonNull(nodes), "rack".equals(nvlink));
        }
    }

    record Oddity(
            String node,
            @Nullable Integer gpus,
            @Nullable Boolean ready,
            @Nullable Boolean unschedulable,
            @Nullable List<String> conditions) {
        Oddity {
            require(node != null, "an oddity names its 'node'");
            require(gpus == null || gpus >= 0, "'gpus' of an odd node are not negative");
        }

        FleetPool.Oddity toModel() {
            return new FleetPool.Oddity(
                    gpus,
                    ready == null || ready,
                    unschedulable != null && unschedulable,
                    conditions == null ? List.of() : conditions);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
