package io.muster.job;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts as Kubernetes writes them: {@code 512Gi}, {@code 1.5}, {@code 500m}, {@code 80GB} for the memory of a GPU. */
public final class Quantity {
    private static final Pattern WRITTEN =
            Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,9})?)(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?");
    private static final Map<String, BigDecimal> BINARY =
            Map.of("Ki", power(1), "Mi", power(2), "Gi", power(3), "Ti", power(4), "Pi", power(5), "Ei", power(6));
    private static final Map<String, BigDecimal> DECIMAL = Map.of(
            "m", new BigDecimal("0.001"),
            "k", BigDecimal.TEN.pow(3),
            "M", BigDecimal.TEN.pow(6),
            "G", BigDecimal.TEN.pow(9),
            "T", BigDecimal.TEN.pow(12),
            "P", BigDecimal.TEN.pow(15),
            "E", BigDecimal.TEN.pow(18));
    private static final String[] BINARY_NAMES = {"Ei", "Pi", "Ti", "Gi", "Mi", "Ki"};

    private Quantity() {}

    /** Whole units, rounded up; empty when it is no quantity or does not fit. */
    public static OptionalLong units(String text) {
        return scaled(text, BigDecimal.ONE);
    }

    /** Thousandths, rounded up; empty when it is no quantity or does not fit. */
    public static OptionalLong thousandths(String text) {
        return scaled(text, BigDecimal.valueOf(1000));
    }

    /** Bytes as {@code 512Gi}: the largest binary unit that leaves a whole number. */
    public static String bytes(long bytes) {
        for (int i = 0; i < BINARY_NAMES.length; i++) {
            long unit = 1L << 10 * (BINARY_NAMES.length - i);
            if (bytes >= unit && bytes % unit == 0) {
                return bytes / unit + BINARY_NAMES[i];
            }
        }
        return Long.toString(bytes);
    }

    /** Thousandths of a CPU as {@code 64} or {@code 1500m}. */
    public static String cpus(long millis) {
        return millis % 1000 == 0 ? Long.toString(millis / 1000) : millis + "m";
    }

    private static OptionalLong scaled(String text, BigDecimal by) {
        Matcher m = WRITTEN.matcher(text);
        if (!m.matches()) {
            return OptionalLong.empty();
        }
        String suffix = m.group(2);
        BigDecimal unit = suffix == null ? BigDecimal.ONE : BINARY.getOrDefault(suffix, DECIMAL.get(suffix));
        BigInteger value = new BigDecimal(m.group(1))
                .multiply(unit)
                .multiply(by)
                .setScale(0, RoundingMode.CEILING)
                .toBigInteger();
        return value.bitLength() < Long.SIZE ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }

    private static BigDecimal power(int of1024) {
        return BigDecimal.valueOf(1024).pow(of1024);
    }
}
