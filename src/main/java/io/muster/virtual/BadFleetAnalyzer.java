package io.muster.virtual;

import io.muster.simulation.BadFleetException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the fleet instead of showing a stack trace. */
final class BadFleetAnalyzer extends AbstractFailureAnalyzer<BadFleetException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, BadFleetException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct the file, or name another (muster.virtual.fleet); docs/virtual-cluster.md describes its form.",
                cause);
    }
}
