package io.muster.simulator.trace;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** One line of a table, its fields by name. */
final class Row {
    private static final long MOST_SECONDS = 3_000_000_000L;
    private static final Pattern ZONED = Pattern.compile("(Z|[+-]\\d{2}:\\d{2})$");

    private final Map<String, Integer> columns;
    private final List<String> fields;
    private final int line;

    Row(Map<String, Integer> columns, List<String> fields, int line) {
        this.columns = columns;
        this.fields = fields;
        this.line = line;
    }

    int line() {
        return line;
    }

    /** The field, or an empty text where the table has no such column. */
    String text(String column) {
        var at = columns.get(column);
        return at == null ? "" : fields.get(at).strip();
    }

    long whole(String column) throws BadLineException {
        try {
            return Long.parseLong(text(column));
        } catch (NumberFormatException e) {
            throw new BadLineException(column + " is not a whole number");
        }
    }

    int count(String column) throws BadLineException {
        long value = whole(column);
        if (value < 0 || value > 1_000_000) {
            throw new BadLineException(column + " is not between 0 and 1,000,000");
        }
        return (int) value;
    }

    double number(String column) throws BadLineException {
        try {
            double value = Double.parseDouble(text(column));
            if (Double.isFinite(value)) return value;
        } catch (NumberFormatException e) {
            // said below
        }
        throw new BadLineException(column + " is not a number");
    }

    Duration seconds(String column) throws BadLineException {
        double value = number(column);
        if (value < 0 || value > MOST_SECONDS) {
            throw new BadLineException(column + " is no length of time in seconds");
        }
        return Duration.ofMillis(Math.round(value * 1000));
    }

    /** An instant written as {@code 2026-11-30T12:00:00Z}, with an offset, or without a zone: then it is read as UTC. */
    Instant instant(String column) throws BadLineException {
        String text = text(column).replace(' ', 'T');
        try {
            return ZONED.matcher(text).find()
                    ? OffsetDateTime.parse(text).toInstant()
                    : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new BadLineException(column + " is not a time such as 2026-11-30T12:00:00");
        }
    }

    /** Splits at {@code separator}; a field in double quotes may hold it, and a quote doubled. */
    static List<String> split(String line, char separator) {
        var fields = new ArrayList<String>();
        var field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append(c);
                i++;
            } else if (c == '"' && (quoted || field.isEmpty())) {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
