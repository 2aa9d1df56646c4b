package io.muster.kubernetes.support;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node to be played by KWOK: {@code node("n1").gpus(8).block("b1").rack("r1").nvlink("d1")}. */
public final class KwokNode {

    static final String MARK = "kwok";

    private final String name;
    private final Map<String, String> labels = new LinkedHashMap<>();
    private final Map<String, Quantity> resources = new LinkedHashMap<>();
    private final List<Taint> taints = new ArrayList<>();
    private boolean dead;

    private KwokNode(String name) {
        this.name = name;
        label(MARK, "fake")
                .label("kubernetes.io/hostname", name)
                .label("kubernetes.io/os", "linux")
                .label("type", "kwok");
        resource("cpu", "64")
                .resource("memory", "512Gi")
                .resource("pods", "110")
                .resource("ephemeral-storage", "4Ti");
    }

    public static KwokNode node(String name) {
        return new KwokNode(name);
    }

    public KwokNode gpus(int count) {
        return resource("nvidia.com/gpu", Integer.toString(count));
    }

    public KwokNode product(String product, int mebibytes) {
        return label("nvidia.com/gpu.product", product).label("nvidia.com/gpu.memory", Integer.toString(mebibytes));
    }

    public KwokNode zone(String zone) {
        return label("topology.kubernetes.io/zone", zone);
    }

    public KwokNode block(String block) {
        return label("network.topology.nvidia.com/block", block);
    }

    public KwokNode rack(String rack) {
        return label("network.topology.nvidia.com/rack", rack);
    }

    public KwokNode nvlink(String domain) {
        return label("nvidia.com/gpu.clique", domain);
    }

    public KwokNode label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    public KwokNode resource(String resource, String amount) {
        resources.put(resource, new Quantity(amount));
        return this;
    }

    public KwokNode taint(String key, String effect) {
        taints.add(new TaintBuilder()
                .withKey(key)
                .withValue("present")
                .withEffect(effect)
                .build());
        return this;
    }

    /** Nobody plays this node: it is ready on paper, but no pod on it starts, and none that is deleted goes away. */
    public KwokNode dead() {
        labels.remove(MARK);
        dead = true;
        return this;
    }

    boolean isDead() {
        return dead;
    }

    Node build() {
        var node = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withTaints(taints)
                .endSpec()
                .withNewStatus()
                .withAllocatable(resources)
                .withCapacity(resources)
                .endStatus();
        return node.build();
    }
}
