package io.muster.tenancy;

import io.muster.model.Refusal;
import java.text.Normalizer;
import java.util.regex.Pattern;

/** What names may look like. */
final class Names {
    private static final Pattern SLUG = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern USERNAME = Pattern.compile("[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?");
    private static final int LONGEST_DISPLAY_NAME = 120;

    private Names() {}

    static String slug(String field, String value) {
        if (SLUG.matcher(value).matches()) return value;
        throw Refusal.invalid(
                field, "must be 1 to 63 lower-case letters, digits or '-', and begin and end with a letter or digit");
    }

    static String username(String field, String value) {
        if (USERNAME.matcher(value).matches()) return value;
        throw Refusal.invalid(
                field,
                "must be 1 to 63 lower-case letters, digits, '.', '_' or '-', and begin and end with a letter or digit");
    }

    /** Text that people see: no control characters and none that turn its direction; in one form, so that equals look equal. */
    static String display(String field, String value) {
        String name = Normalizer.normalize(value, Normalizer.Form.NFC).strip();
        if (name.isEmpty() || name.length() > LONGEST_DISPLAY_NAME) {
            throw Refusal.invalid(field, "must be 1 to " + LONGEST_DISPLAY_NAME + " characters");
        }
        if (name.codePoints().anyMatch(Names::hidden)) {
            throw Refusal.invalid(field, "must not contain control or direction characters");
        }
        return name;
    }

    private static boolean hidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
