package io.muster.story;

import io.muster.kubernetes.support.RealCluster;
import org.junit.jupiter.api.extension.RegisterExtension;

class GangOnKubernetesStoryTest extends GangStory {
    @RegisterExtension
    static final RealCluster cluster = new RealCluster();

    @Override
    World world(int gpus) {
        return KubernetesWorld.of(cluster, gpus);
    }
}
