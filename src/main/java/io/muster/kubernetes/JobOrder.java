package io.muster.kubernetes;

import io.muster.model.JobId;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Keeps the calls for one job one after the other; jobs that share a lock wait for each other too, which harms nobody.
 */
final class JobOrder {

    private final ReentrantLock[] locks =
            IntStream.range(0, 256).mapToObj(_ -> new ReentrantLock(true)).toArray(ReentrantLock[]::new);

    <T> T inOrder(JobId job, Supplier<T> call) {
        var lock = locks[(int) (job.value() % locks.length)];
        lock.lock();
        try {
            return call.get();
        } finally {
            lock.unlock();
        }
    }
}
