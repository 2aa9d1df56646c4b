package io.muster.simulation;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An amount as Kubernetes writes it, for the few forms that a fleet needs. */
record Quantity(BigDecimal value) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?)(m|[KMGTP]i|[kMGTP])?");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final Map<String, BigDecimal> UNITS = Map.ofEntries(
            Map.entry("m", new BigDecimal("0.001")),
            Map.entry("k", new BigDecimal("1E3")),
            Map.entry("M", new BigDecimal("1E6")),
            Map.entry("G", new BigDecimal("1E9")),
            Map.entry("T", new BigDecimal("1E12")),
            Map.entry("P", new BigDecimal("1E15")),
            Map.entry("Ki", KIBI),
            Map.entry("Mi", KIBI.pow(2)),
            Map.entry("Gi", KIBI.pow(3)),
            Map.entry("Ti", KIBI.pow(4)),
            Map.entry("Pi", KIBI.pow(5)));

    /** Throws {@link IllegalArgumentException} with a sentence for people. */
    static Quantity parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an amount such as 64, 500m or 512Gi");
        }
        BigDecimal number = new BigDecimal(form.group(1));
        return new Quantity(form.group(2) == null ? number : number.multiply(UNITS.get(form.group(2))));
    }

    long whole() {
        return value.longValue();
    }

    long thousandths() {
        return value.movePointRight(3).longValue();
    }
}
