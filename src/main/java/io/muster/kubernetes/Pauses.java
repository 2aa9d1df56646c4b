package io.muster.kubernetes;

/** Waiting on threads of this package, which are interrupted only to be stopped. */
final class Pauses {

    private Pauses() {}

    /** Sleeps; when interrupted, returns at once with the thread's mark set. */
    static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
