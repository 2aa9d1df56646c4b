package io.muster.web.problem;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Cursors of pages: opaque to callers, so that what is in them may change. */
public final class Cursor {
    private static final int LONGEST = 4000;

    private Cursor() {}

    public static String of(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /** The position, or null for the first page. */
    public static @Nullable String position(@Nullable String cursor) {
        return position("cursor", cursor);
    }

    private static @Nullable String position(String parameter, @Nullable String cursor) {
        if (cursor == null || cursor.isEmpty()) {
            return null;
        }
        if (cursor.length() > LONGEST) {
            throw bad(parameter);
        }
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad(parameter);
        }
    }

    /** The position as a number, or null for the first page; {@code parameter} is what the cursor stands in. */
    public static @Nullable Long number(String parameter, @Nullable String cursor) {
        String position = position(parameter, cursor);
        if (position == null) {
            return null;
        }
        if (!position.matches("[0-9]{1,18}")) {
            throw bad(parameter);
        }
        return Long.parseLong(position);
    }

    /** How many items a page has: {@code asked}, or {@code usual} when nothing is asked, from 1 to {@code most}. */
    public static int limit(@Nullable Integer asked, int usual, int most) {
        if (asked == null) {
            return usual;
        }
        if (asked < 1 || asked > most) {
            throw Problem.invalid("limit", "must be from 1 to " + most);
        }
        return asked;
    }

    private static Problem bad(String parameter) {
        return Problem.invalid(parameter, "is not one that this list gave");
    }
}
