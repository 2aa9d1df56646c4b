package io.muster.story;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.muster.kubernetes.support.KwokNode;
import io.muster.kubernetes.support.RealCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The same stories on a real API server: KWOK plays the nodes, {@link PlayedTraining} the programs, in real time. */
final class KubernetesWorld {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String NODE_LABEL = "muster.io/pool";
    private static final int GPUS_PER_NODE = 8;

    private KubernetesWorld() {}

    static World of(RealCluster cluster, int gpus) {
        install(cluster);
        // Test databases are copies of one, so that without a name of its own each would take the others' pods for its
        // own.
        var pool = "story-" + COUNT.incrementAndGet();
        addNodes(cluster, pool, gpus / GPUS_PER_NODE);
        var server = StoryServer.on(Map.of(
                "muster.cluster.type",
                "kubernetes",
                "muster.cluster.kubernetes.kubeconfig",
                kubeconfig(cluster),
                "muster.cluster.kubernetes.installation",
                pool,
                "muster.cluster.kubernetes.relist",
                "2s"));
        var training = new PlayedTraining(cluster, server.url(), pool);
        var lab = Fleets.pool(new Lab(server, World.PACE), Fleets.POOL, Map.of(NODE_LABEL, pool));
        lab.onVolume((team, volume) -> makeClaim(cluster, pool, team, volume));
        return new World(lab, () -> {
            training.close();
            server.close();
            cluster.removeNodes();
        });
    }

    /** What an admin applies once: the PriorityClass and the server's rights among it. */
    private static void install(RealCluster cluster) {
        try (var manifest = Files.newInputStream(Path.of("deploy/kubernetes/rbac.yaml"))) {
            for (var object : cluster.admin().load(manifest).items()) {
                cluster.admin()
                        .resource(object)
                        .fieldManager("test")
                        .forceConflicts()
                        .serverSideApply();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In two racks of one block, as in {@code scenarios/fleets}. */
    private static void addNodes(RealCluster cluster, String pool, int count) {
        var nodes = new ArrayList<KwokNode>();
        for (int i = 0; i < count; i++) {
            nodes.add(KwokNode.node(pool + "-n" + i)
                    .gpus(GPUS_PER_NODE)
                    .product("NVIDIA-H100-80GB-HBM3", 81_559)
                    .block("b1")
                    .rack(i < count / 2 ? "r1" : "r2")
                    .nvlink(pool + "-n" + i)
                    .label(NODE_LABEL, pool)
                    .taint("nvidia.com/gpu", "NoSchedule"));
        }
        cluster.add(nodes.toArray(KwokNode[]::new));
    }

    private static String kubeconfig(RealCluster cluster) {
        try {
            return cluster.adminKubeconfig(Files.createTempDirectory("story")).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A volume that outlives pods: a claim in the team's namespace, and something for it to be bound to. */
    private static void makeClaim(RealCluster cluster, String installation, String teamId, String claim) {
        var namespace = "muster-" + teamId;
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .addToLabels("app.kubernetes.io/managed-by", "muster")
                        .addToLabels("muster.io/installation", installation)
                        .addToLabels("muster.io/team", teamId)
                        .endMetadata()
                        .build())
                .create();
        var size = Map.of("storage", new Quantity("1Gi"));
        cluster.admin()
                .resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(claim + "-" + teamId)
                        .endMetadata()
                        .withNewSpec()
                        .withCapacity(size)
                        .withAccessModes("ReadWriteMany")
                        .withStorageClassName("")
                        .withNewHostPath()
                        .withPath("/volumes/" + teamId)
                        .endHostPath()
                        .withNewClaimRef()
                        .withNamespace(namespace)
                        .withName(claim)
                        .endClaimRef()
                        .endSpec()
                        .build())
                .create();
        cluster.admin()
                .resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(claim)
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteMany")
                        .withStorageClassName("")
                        .withVolumeName(claim + "-" + teamId)
                        .withNewResources()
                        .withRequests(size)
                        .endResources()
                        .endSpec()
                        .build())
                .create();
    }
}
