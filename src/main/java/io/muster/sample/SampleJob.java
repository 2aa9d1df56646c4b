package io.muster.sample;

/**
 * A job to submit.
 *
 * @param user who submits it
 * @param key its idempotency key: the same job twice is one job
 * @param gpus of all its replicas
 * @param document as JSON
 */
record SampleJob(String user, String key, int gpus, String document) {}
