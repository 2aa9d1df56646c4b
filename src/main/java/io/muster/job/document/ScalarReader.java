package io.muster.job.document;

import io.muster.job.PlainDuration;
import io.muster.job.Quantity;
import io.muster.job.document.Node.Kind;
import io.muster.job.document.Node.Scalar;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads single values, each by its type and bounds. What is wrong goes to the {@link Faults} and reads as absent. */
record ScalarReader(Faults faults) {
    private static final int LONGEST_SHOWN = 40;

    @Nullable Integer integer(String where, Node value, int least, int most) {
        if (!(value instanceof Scalar(Kind kind, String digits, var at)) || kind != Kind.NUMBER) {
            wrongType(where, value, "a whole number");
            return null;
        }
        Optional<BigDecimal> number = number(digits);
        if (number.isEmpty() || number.get().stripTrailingZeros().scale() > 0 || digits.contains(".")) {
            faults.add(where, "wrong-type", "must be a whole number, not " + shown(digits));
            return null;
        }
        boolean low = number.get().compareTo(BigDecimal.valueOf(least)) < 0;
        if (low || number.get().compareTo(BigDecimal.valueOf(most)) > 0) {
            outOfRange(where, String.valueOf(least), String.valueOf(most), digits);
            return null;
        }
        return number.get().intValueExact();
    }

    @Nullable Boolean flag(String where, Node value) {
        if (value instanceof Scalar(Kind kind, String text, var at) && kind == Kind.BOOLEAN) {
            return text.equals("true");
        }
        wrongType(where, value, "true or false");
        return null;
    }

    @Nullable Duration duration(String where, Node value, Duration least, Duration most) {
        if (!(value instanceof Scalar(Kind kind, String text, var at)) || kind != Kind.TEXT) {
            wrongType(where, value, "a duration such as 90s, 15m, 12h or 2d");
            return null;
        }
        Optional<Duration> duration = PlainDuration.parse(text);
        if (duration.isEmpty()) {
            faults.add(where, "not-a-duration", "must be a duration such as 90s, 15m, 12h or 2d, not " + shown(text));
            return null;
        }
        if (duration.get().compareTo(least) < 0 || duration.get().compareTo(most) > 0) {
            outOfRange(where, PlainDuration.of(least), PlainDuration.of(most), text);
            return null;
        }
        return duration.get();
    }

    /** Bytes, such as 512Gi. */
    @Nullable Long bytes(String where, Node value, long least, long most) {
        var unit = new Unit("an amount such as 512Gi or 64G", Quantity::units, Quantity::bytes);
        return quantity(where, value, unit, least, most);
    }

    /** Thousandths of a CPU from amounts such as 64, 1.5 or 500m. */
    @Nullable Long cpuMillis(String where, Node value, long most) {
        var unit = new Unit("an amount such as 64, 1.5 or 500m", Quantity::thousandths, Quantity::cpus);
        return quantity(where, value, unit, 1, most);
    }

    private record Unit(String what, Function<String, OptionalLong> read, Function<Long, String> write) {}

    private @Nullable Long quantity(String where, Node value, Unit unit, long least, long most) {
        if (!(value instanceof Scalar(Kind kind, String text, var at)) || kind != Kind.TEXT && kind != Kind.NUMBER) {
            wrongType(where, value, unit.what());
            return null;
        }
        OptionalLong amount = unit.read().apply(text);
        if (amount.isEmpty()) {
            faults.add(where, "not-a-quantity", "must be %s, not %s".formatted(unit.what(), shown(text)));
            return null;
        }
        if (amount.getAsLong() < least || amount.getAsLong() > most) {
            outOfRange(where, unit.write().apply(least), unit.write().apply(most), text);
            return null;
        }
        return amount.getAsLong();
    }

    /** Text that {@code rule} accepts; the rule gives what is wrong with it. */
    @Nullable String text(String where, Node value, Function<String, Optional<String>> rule) {
        faults.found(where, value.at());
        if (!(value instanceof Scalar(Kind kind, String text, var at)) || kind != Kind.TEXT) {
            boolean plain = value instanceof Scalar(Kind k, var t, var p) && k != Kind.NULL;
            wrongType(where, value, plain ? "text (write it in quotes)" : "text");
            return null;
        }
        Optional<String> wrong = rule.apply(text);
        if (wrong.isPresent()) {
            faults.add(where, "invalid-value", wrong.get());
            return null;
        }
        return text;
    }

    void wrongType(String where, Node value, String wanted) {
        faults.add(where, "wrong-type", "must be %s, not %s".formatted(wanted, value.what()), value.at());
    }

    private void outOfRange(String where, String least, String most, String given) {
        faults.add(where, "out-of-range", "must be from %s to %s, not %s".formatted(least, most, shown(given)));
    }

    private static Optional<BigDecimal> number(String digits) {
        try {
            return digits.length() > LONGEST_SHOWN || digits.indexOf('e') >= 0 || digits.indexOf('E') >= 0
                    ? Optional.empty()
                    : Optional.of(new BigDecimal(digits));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static String shown(String text) {
        return Texts.shown(text, LONGEST_SHOWN);
    }
}
