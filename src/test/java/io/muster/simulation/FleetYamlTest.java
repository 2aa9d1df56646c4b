package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.model.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetYamlTest {
    private static final String GOOD = """
            pools:
              - name: h100
                zone: z1
                machine:
                  gpus: 8
                  product: NVIDIA-H100-80GB-HBM3
                  gpuMemory: 81559Mi
                  cpus: 192
                  memory: 2Ti
                  foreign: {cpus: 500m, memory: 1Gi}
                  labels: {team.example/shelf: "3"}
                  taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
                blocks:
                  - name: b1
                    racks:
                      - {name: r1, nodes: 2}
                      - {name: r2, nodes: 2, nvlink: rack}
                oddities:
                  - {node: h100-b1-r2-n2, gpus: 7, ready: false, unschedulable: true, conditions: ["Xid 79"]}
            """;

    @Test
    void nodesAreNamedAndLabelledByWhereTheyStand() {
        var node = node("h100-b1-r1-n2", GOOD);
        assertThat(node.labels())
                .containsEntry("muster.io/pool", "h100")
                .containsEntry("topology.kubernetes.io/zone", "z1")
                .containsEntry("network.topology.nvidia.com/block", "b1")
                .containsEntry("network.topology.nvidia.com/rack", "r1")
                .containsEntry("nvidia.com/gpu.clique", "h100-b1-r1-n2")
                .containsEntry("kubernetes.io/hostname", "h100-b1-r1-n2")
                .containsEntry("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")
                .containsEntry("nvidia.com/gpu.memory", "81559")
                .containsEntry("team.example/shelf", "3");
        assertThat(node.taints()).hasSize(1);
    }

    @Test
    void amountsAreReadAsKubernetesWritesThem() {
        var node = node("h100-b1-r1-n1", GOOD);
        assertThat(node.offers().gpus()).isEqualTo(8);
        assertThat(node.offers().cpuMillis()).isEqualTo(192_000);
        assertThat(node.offers().memoryBytes()).isEqualTo(2L << 40);
        assertThat(node.foreign().cpuMillis()).isEqualTo(500);
        assertThat(node.foreign().memoryBytes()).isEqualTo(1L << 30);
    }

    @Test
    void anNvlinkRackIsOneDomain() {
        assertThat(node("h100-b1-r2-n1", GOOD).labels()).containsEntry("nvidia.com/gpu.clique", "h100-b1-r2");
    }

    @Test
    void oneNodeMayBeOdd() {
        var odd = node("h100-b1-r2-n2", GOOD);
        assertThat(odd.offers().gpus()).isEqualTo(7);
        assertThat(odd.ready()).isFalse();
        assertThat(odd.unschedulable()).isTrue();
        assertThat(odd.badConditions()).containsExactly("Xid 79");
        assertThat(odd.labels()).containsEntry("nvidia.com/gpu.count", "8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "gpus: 8            | gpus: eight                | line 5",
                "gpus: 8            | gpus: -8                   | 0 to 72 'gpus'",
                "zone: z1           | zonk: z1                   | zonk",
                "gpus: 8            | gpuz: 8                    | 0 to 72 'gpus'",
                "memory: 2Ti        | memory: plenty             | 'plenty' is not an amount",
                "nodes: 2, nvlink: rack | nodes: 2, nvlink: room | line 17",
                "nodes: 2}          | nodes: 0}                  | line 16",
                "name: r2           | name: r1                   | two nodes are called h100-b1-r1-n1",
                "h100-b1-r2-n2      | h100-b9-r9-n9              | no node h100-b9-r9-n9",
                "zone: z1           | zone: z1\\n    zone: z2     | zone",
                "name: h100         | name: H 100                | slug",
                "blocks:            | block:                     | block",
                "product: NVIDIA-H100-80GB-HBM3 | product: [a, b | line",
            })
    void whatMakesNoSenseIsRefusedWithItsPlace(String good, String bad, String said) {
        String broken = GOOD.replace(good, bad.replace("\\n", "\n"));
        assertThat(broken).isNotEqualTo(GOOD);
        assertThatThrownBy(() -> FleetYaml.parse("my.yaml", broken))
                .isInstanceOf(BadFleetException.class)
                .hasMessageStartingWith("my.yaml")
                .hasMessageContaining(said);
    }

    @Test
    void errorsNameLineAndColumn() {
        assertThatThrownBy(() -> FleetYaml.parse("my.yaml", GOOD.replace("gpus: 8", "gpus: eight")))
                .hasMessageContaining("my.yaml, line 5, column ");
    }

    @Test
    void anEmptyFileIsNoFleet() {
        assertThatThrownBy(() -> FleetYaml.parse("my.yaml", "")).isInstanceOf(BadFleetException.class);
        assertThatThrownBy(() -> FleetYaml.parse("my.yaml", "pools: []")).isInstanceOf(BadFleetException.class);
    }

    @Test
    void theFleetsThatComeWithMusterAreGood() throws IOException {
        assertThat(gpus("gpus-32.yaml")).isEqualTo(32);
        assertThat(gpus("gpus-48.yaml")).isEqualTo(48);
        assertThat(gpus("gpus-64.yaml")).isEqualTo(64);
        assertThat(gpus("topology.yaml")).isEqualTo(160);
        assertThat(gpus("demo.yaml")).isEqualTo(24 * 8 - 1 + 8 * 8);
    }

    private static int gpus(String file) throws IOException {
        return FleetYaml.parse(file, Files.readString(Path.of("scenarios/fleets", file))).stream()
                .mapToInt(node -> node.offers().gpus())
                .sum();
    }

    private static FleetNode node(String name, String yaml) {
        List<FleetNode> nodes = FleetYaml.parse("my.yaml", yaml);
        Map<NodeId, FleetNode> byName = nodes.stream().collect(Collectors.toMap(FleetNode::id, Function.identity()));
        return byName.get(new NodeId(name));
    }
}
