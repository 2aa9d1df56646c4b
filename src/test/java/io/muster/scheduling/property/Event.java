package io.muster.scheduling.property;

/**
 * Something that happens in a world, and how long after it the next cycle comes.
 *
 * @param salt decides to whom; the same in any world, so that events can be left out
 * @param minutes until the next cycle; 0: none comes in between
 */
record Event(What what, long salt, int minutes) {
    enum What {
        SUBMIT,
        END,
        CANCEL,
        CORDON,
        FAIL,
        SHRINK,
        RETURN,
        QUOTA,
        CHECKPOINT
    }

    @Override
    public String toString() {
        return what + "(" + salt + ")+" + minutes;
    }
}
