package io.muster.kubernetes;

import io.muster.gateway.CommandOutcome;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/**
 * Does the same to many pods at once, but never asks more of the API server at a time than its fair-queuing gives one
 * client anyway.
 */
final class Fanout {

    private static final int AT_ONCE = 16;

    private final Semaphore slots = new Semaphore(AT_ONCE);

    /** Done when all are; else the first other outcome, after which no further pod is begun. */
    CommandOutcome all(int count, IntFunction<CommandOutcome> each) {
        var bad = new AtomicReference<CommandOutcome>();
        var running = new ArrayList<Future<?>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                int which = i;
                running.add(threads.submit(() -> one(which, each, bad)));
            }
        }
        rethrow(running);
        var outcome = bad.get();
        return outcome == null ? new CommandOutcome.Done() : outcome;
    }

    private void one(int which, IntFunction<CommandOutcome> each, AtomicReference<CommandOutcome> bad) {
        slots.acquireUninterruptibly();
        try {
            if (bad.get() == null) {
                var outcome = each.apply(which);
                if (!(outcome instanceof CommandOutcome.Done)) {
                    bad.compareAndSet(null, outcome);
                }
            }
        } finally {
            slots.release();
        }
    }

    private static void rethrow(Iterable<Future<?>> ended) {
        for (var future : ended) {
            try {
                future.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a call failed in a way it must not", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted after the work was done", e);
            }
        }
    }
}
