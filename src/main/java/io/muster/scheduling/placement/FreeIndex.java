package io.muster.scheduling.placement;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Nodes in buckets by free GPUs, partly used nodes apart from whole ones, so that the fullest node with room is found
 * without looking at the others.
 */
final class FreeIndex {
    private static final int MOST = 256;
    private final BitSet[] partial;
    private final BitSet[] whole;
    private final int[] bucketOf;
    private final boolean[] isWhole;

    FreeIndex(int nodes, int mostGpus) {
        int buckets = Math.min(mostGpus, MOST) + 1;
        partial = new BitSet[buckets];
        whole = new BitSet[buckets];
        for (int i = 0; i < buckets; i++) {
            partial[i] = new BitSet(nodes);
            whole[i] = new BitSet(nodes);
        }
        bucketOf = new int[nodes];
        isWhole = new boolean[nodes];
        Arrays.fill(bucketOf, -1);
    }

    /** Files {@code node} under its free GPUs; a negative number takes it out. */
    void file(int node, int free, boolean untouched) {
        int bucket = free < 0 ? -1 : Math.min(free, partial.length - 1);
        if (bucket == bucketOf[node] && untouched == isWhole[node]) {
            return;
        }
        if (bucketOf[node] >= 0) {
            (isWhole[node] ? whole : partial)[bucketOf[node]].clear(node);
        }
        bucketOf[node] = bucket;
        isWhole[node] = untouched;
        if (bucket >= 0) {
            (untouched ? whole : partial)[bucket].set(node);
        }
    }

    int buckets() {
        return partial.length;
    }

    /** The first node from {@code from} on in the bucket, or -1. */
    int next(boolean untouched, int bucket, int from) {
        return (untouched ? whole : partial)[bucket].nextSetBit(from);
    }
}
