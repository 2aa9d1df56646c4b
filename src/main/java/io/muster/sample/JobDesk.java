package io.muster.sample;

/** What the sample workload needs of the queue. */
interface JobDesk {

    /** Whether jobs could be placed at all yet: there are nodes. */
    boolean open();

    /** How many GPUs are waited for. */
    long waitingGpus();

    /** Whether any job starts, runs or stops. */
    boolean busy();

    void submit(SampleJob job);
}
