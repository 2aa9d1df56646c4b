package io.muster.gateway;

import java.util.List;

/** Is told what happens on a cluster. Facts may be repeated, late and out of order between replicas, never invented. */
public interface ClusterObserver {

    /** Takes facts in the order in which the cluster told them. Throws when they could not be kept: then tell again. */
    void observe(List<ClusterFact> facts);
}
