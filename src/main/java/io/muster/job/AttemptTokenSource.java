package io.muster.job;

import io.muster.model.AttemptId;

/** Makes the token with which an attempt's program calls Muster; the same attempt may get another one at any time. */
@FunctionalInterface
public interface AttemptTokenSource {
    String tokenFor(AttemptId attempt);
}
