package io.muster.simulation;

import java.time.Duration;

/** Chance that repeats: equal seed and equal salt give equal numbers, on every server and after every restart. */
record Dice(long seed) {

    /** Dice of their own for one purpose, so that a new use of chance does not change the others. */
    Dice salted(long salt) {
        return new Dice(mix(seed ^ mix(salt)));
    }

    Dice salted(String salt) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < salt.length(); i++) {
            hash = (hash ^ salt.charAt(i)) * 0x100000001b3L;
        }
        return salted(hash);
    }

    /** A number in [0, 1). */
    double unit() {
        return (mix(seed) >>> 11) * 0x1.0p-53;
    }

    double between(double low, double high) {
        return low + (high - low) * unit();
    }

    Duration between(Duration low, Duration high) {
        return Duration.ofMillis((long) between((double) low.toMillis(), (double) high.toMillis()));
    }

    /** A duration whose logarithm is spread evenly: as many between 2 and 4 minutes as between 4 and 8. */
    Duration logBetween(Duration low, Duration high) {
        return Duration.ofMillis(
                (long) StrictMath.exp(between(StrictMath.log(low.toMillis()), StrictMath.log(high.toMillis()))));
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
