package io.muster.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A small change that would start the job now, verified by planning with it. */
public sealed interface Remedy {

    /** A stable word for the kind, as REST carries it. */
    String kind();

    /** Ask for less of topology: {@code require}/{@code prefer} as given here (null: nothing). */
    record RelaxTopology(@Nullable String require, @Nullable String prefer, int domainsUsed) implements Remedy {
        @Override
        public String kind() {
            return "relax-topology";
        }
    }

    /** Let the replicas lie as they like inside what is required. */
    record WithoutSlices(int domainsUsed) implements Remedy {
        @Override
        public String kind() {
            return "without-slices";
        }
    }

    /** Run with fewer replicas. */
    record FewerReplicas(int replicas) implements Remedy {
        @Override
        public String kind() {
            return "fewer-replicas";
        }
    }

    /** Work with {@code min} replicas, and grow when there is room. */
    record BeElastic(int min) implements Remedy {
        @Override
        public String kind() {
            return "be-elastic";
        }
    }

    /** Accept another pool or GPU type. */
    record OtherPool(PoolId pool, GpuTypeId type) implements Remedy {
        @Override
        public String kind() {
            return "other-pool";
        }
    }

    /**
     * Be of a higher class.
     *
     * @param victims would be asked to save and yield
     * @param gpuSecondsLost what they would redo if they did not save: their work since the last checkpoint, and their
     *     restarts; one that saves when it is asked loses less
     */
    record RaisePriority(String priorityClass, List<JobId> victims, long gpuSecondsLost) implements Remedy {
        public RaisePriority {
            victims = List.copyOf(victims);
        }

        @Override
        public String kind() {
            return "raise-priority";
        }
    }
}
