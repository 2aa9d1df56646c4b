package io.muster.retention;

import java.time.Duration;

/** Something that grows and of which the old may go. */
public interface Shelf {
    /** As in the setting {@code muster.retention.<name>}. */
    String name();

    /** How long it is kept unless the setting says otherwise. */
    Duration shipped();

    /**
     * Removes a little, in the caller's transaction.
     *
     * @param kept what is older goes
     * @param most rows at once
     */
    Removed remove(Duration kept, int most);

    /**
     * What a batch came to.
     *
     * @param more whether there may be more that is old
     */
    record Removed(int rows, boolean more) {
        /** Of a shelf that is clear when it does not fill a batch. */
        public static Removed of(int rows, int most) {
            return new Removed(rows, rows >= most);
        }
    }
}
