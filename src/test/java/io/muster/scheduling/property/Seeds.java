package io.muster.scheduling.property;

import java.util.stream.LongStream;

/** Which worlds are tried: {@code -Dmuster.seeds=N} tries N of them, {@code -Dmuster.seed=S} one again. */
final class Seeds {
    private Seeds() {}

    static long count() {
        return Long.getLong("muster.seeds", 2_000);
    }

    /** The first {@code 1 / parts} of them. */
    static LongStream of(int parts) {
        var one = System.getProperty("muster.seed");
        return one != null ? LongStream.of(Long.parseLong(one)) : LongStream.range(0, count() / parts);
    }
}
