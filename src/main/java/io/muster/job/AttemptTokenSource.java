package io.muster.job;

import io.muster.model.AttemptId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Makes the token with which an attempt's program calls Muster; the same attempt may get another one at any time. */
@FunctionalInterface
public interface AttemptTokenSource {
    String tokenFor(AttemptId attempt);

    /** Those of many attempts. */
    default Map<AttemptId, String> tokensFor(Collection<AttemptId> attempts) {
        var tokens = new HashMap<AttemptId, String>();
        attempts.forEach(attempt -> tokens.put(attempt, tokenFor(attempt)));
        return tokens;
    }
}
