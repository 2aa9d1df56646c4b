package io.muster.model;

/**
 * A part of a guarantee that comes in whole domains: {@code 2 x (8 GPUs of one node)}.
 *
 * @param count how many domains, at least 1
 * @param level the level of the pool's topology whose one domain holds each of them
 * @param gpus GPUs of each domain, at least 1
 */
public record QuotaShape(int count, String level, int gpus) {

    /** GPUs of all its domains. */
    public long total() {
        return (long) count * gpus;
    }
}
