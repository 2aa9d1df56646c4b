package io.muster.scheduling.verify;

import java.util.ArrayList;
import java.util.Comparator;

/** Whole GPUs shared out in proportion, nobody above its room; what rounding leaves goes to the largest remainders. */
final class Split {
    private Split() {}

    /** Parts of {@code amount}. Rooms are filled in rounds: in each, whoever the level of the moment would overfill. */
    static long[] byWeight(long amount, long[] weights, long[] rooms) {
        long[] part = new long[weights.length];
        var open = new ArrayList<Integer>();
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0 && rooms[i] > 0) {
                open.add(i);
            }
        }
        long left = Math.max(0, amount);
        for (boolean filled = true; filled; ) {
            long sum = sum(open, weights);
            long level = left;
            var full = open.stream()
                    .filter(i -> Math.min(rooms[i], amount) * sum <= level * weights[i])
                    .toList();
            for (int i : full) {
                part[i] = Math.min(rooms[i], amount);
                left -= part[i];
            }
            open.removeAll(full);
            filled = !full.isEmpty();
        }
        long sum = sum(open, weights);
        long level = left;
        for (int i : open) {
            part[i] = level * weights[i] / sum;
            left -= part[i];
        }
        open.sort(Comparator.comparingLong((Integer i) -> level * weights[i] % sum)
                .reversed()
                .thenComparing(Comparator.naturalOrder()));
        for (int k = 0; k < open.size() && k < left; k++) {
            part[open.get(k)]++;
        }
        return part;
    }

    private static long sum(ArrayList<Integer> which, long[] values) {
        return which.stream().mapToLong(i -> values[i]).sum();
    }

    /** Amounts as they are when their sum is at most {@code total}, else shrunk in proportion. */
    static long[] within(long total, long[] amounts) {
        long sum = 0;
        for (long amount : amounts) {
            sum += amount;
        }
        return sum <= total ? amounts.clone() : byWeight(total, amounts, amounts);
    }
}
