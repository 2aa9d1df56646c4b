package io.muster.sample;

import java.util.Map;

/** What the sample workload needs of the queue. */
interface JobDesk {

    /** Whether jobs could be placed at all yet: there are nodes. */
    boolean open();

    /** What waits, by pool. */
    Map<String, Queue> queues();

    /** Whether any job of the pool starts, runs or stops. */
    boolean busy(String pool);

    /** Jobs that wait for a pool, and the GPUs that they ask for. */
    record Queue(int jobs, long gpus) {
        static final Queue EMPTY = new Queue(0, 0);
    }

    void submit(SampleJob job);
}
