package io.muster.job.document;

import java.util.Optional;

/** Which characters a text may have. */
final class Texts {
    private Texts() {}

    /** What is wrong with a text of one line, for people; empty: nothing. */
    static Optional<String> lineFault(String text) {
        return fault(text, false);
    }

    /** The same for text that may have line breaks and tabs. */
    static Optional<String> linesFault(String text) {
        return fault(text, true);
    }

    /** As a message may repeat it: what a line may not have becomes a mark, and what is long is cut. */
    static String shown(String text, int most) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(most)
                .map(c -> lineFault(Character.toString(c)).isEmpty() ? c : 0xFFFD)
                .forEach(shown::appendCodePoint);
        return text.codePointCount(0, text.length()) > most ? shown + "..." : shown.toString();
    }

    private static Optional<String> fault(String text, boolean lines) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (isControl(c) && !(lines && (c == '\n' || c == '\t' || c == '\r'))) {
                return Optional.of("must not have the control character U+%04X".formatted(c));
            }
            if (isBidi(c)) {
                return Optional.of("must not have the direction mark U+%04X".formatted(c));
            }
            if (c >= 0xD800 && c <= 0xDFFF) {
                return Optional.of("must not have half a character (U+%04X)".formatted(c));
            }
            i += Character.charCount(c);
        }
        return Optional.empty();
    }

    private static boolean isControl(int c) {
        return c < 0x20 || c >= 0x7F && c < 0xA0 || c == 0x2028 || c == 0x2029 || c == 0xFEFF;
    }

    private static boolean isBidi(int c) {
        return c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069 || c == 0x200E || c == 0x200F || c == 0x061C;
    }
}
