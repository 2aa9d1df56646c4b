package io.muster.cycle;

/** Another server leads by now: nothing of the present transaction may be committed. */
final class StaleEpochException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StaleEpochException(long epoch) {
        super("epoch " + epoch + " is over");
    }
}
