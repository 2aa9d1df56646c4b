package io.muster.job.document;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** What somebody probably meant by a field name that there is not. */
final class Spelling {
    private static final int LONGEST = 40;

    private Spelling() {}

    /** The known name nearest to {@code name}, or an empty text when none is near enough to be meant. */
    static String nearest(String name, Collection<String> known) {
        if (name.length() > LONGEST) {
            return "";
        }
        String asked = folded(name);
        return known.stream()
                .filter(k -> k.length() > 2)
                .filter(k -> distance(asked, folded(k)) <= Math.min(2, k.length() / 3))
                .min(Comparator.<String>comparingInt(k -> distance(asked, folded(k)))
                        .thenComparing(Comparator.naturalOrder()))
                .orElse("");
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[_-]", "");
    }

    /** Edit distance: inserted, dropped or changed letters. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
