package io.muster.scheduling.fairshare;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Exact splits of whole GPUs. */
final class Split {
    private Split() {}

    /**
     * Splits {@code amount} in proportion to {@code weights}, nobody above its room: who would get more than
     * its room gets its room, and the others share the rest. What rounding leaves goes to the largest remainders, ties
     * to the first. The sum is the lesser of {@code amount} and all the room of those with a weight.
     */
    static int[] water(int amount, long[] weights, int[] rooms) {
        int n = weights.length;
        int[] part = new int[n];
        int[] room = IntStream.of(rooms).map(r -> Math.min(r, amount)).toArray();
        int[] order = IntStream.range(0, n)
                .filter(i -> weights[i] > 0 && room[i] > 0)
                .boxed()
                .sorted(byRoomPerWeight(weights, room))
                .mapToInt(Integer::intValue)
                .toArray();
        long sum = 0;
        for (int i : order) {
            sum += weights[i];
        }
        long left = amount;
        int next = 0;
        while (next < order.length && room[order[next]] * sum <= left * weights[order[next]]) {
            int i = order[next++];
            part[i] = room[i];
            left -= room[i];
            sum -= weights[i];
        }
        spread(left, sum, weights, order, next, part);
        return part;
    }

    private static Comparator<Integer> byRoomPerWeight(long[] weights, int[] room) {
        return Comparator.<Integer>comparingDouble(i -> room[i] / (double) weights[i])
                .thenComparing(Comparator.naturalOrder());
    }

    /** Gives {@code left} to {@code order[from..]}, none of whom reaches its room. */
    private static void spread(long left, long sum, long[] weights, int[] order, int from, int[] part) {
        if (from == order.length) {
            return;
        }
        long given = 0;
        for (int k = from; k < order.length; k++) {
            int i = order[k];
            part[i] = (int) (left * weights[i] / sum);
            given += part[i];
        }
        long over = left - given;
        int[] byRemainder = IntStream.range(from, order.length)
                .map(k -> order[k])
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(i -> -(left * weights[i] % sum))
                        .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int k = 0; k < over; k++) {
            part[byRemainder[k]]++;
        }
    }

    /** Scales {@code amounts} down so that their sum is at most {@code total}, by largest remainders. */
    static int[] scale(int total, int[] amounts) {
        long sum = IntStream.of(amounts).asLongStream().sum();
        if (sum <= total) {
            return amounts.clone();
        }
        long[] weights = IntStream.of(amounts).asLongStream().toArray();
        return water(Math.max(0, total), weights, amounts);
    }
}
