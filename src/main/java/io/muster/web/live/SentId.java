package io.muster.web.live;

import io.muster.job.EventTail.Position;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Positions as event ids, which listeners send back when they return. */
final class SentId {
    private static final Pattern SHAPE = Pattern.compile("([0-9]{1,20})-([0-9]{1,19})");

    private SentId() {}

    static String of(Position position) {
        return position.transaction() + "-" + position.id();
    }

    /** Null when it is none of ours. */
    static @Nullable Position parse(@Nullable String text) {
        Matcher m = SHAPE.matcher(text == null ? "" : text);
        if (!m.matches()) {
            return null;
        }
        BigInteger transaction = new BigInteger(m.group(1));
        BigInteger id = new BigInteger(m.group(2));
        return transaction.bitLength() > 63 || id.bitLength() > 63
                ? null
                : new Position(transaction, id.longValueExact());
    }
}
