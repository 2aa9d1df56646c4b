package io.muster.dispatch;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what may be written instead of showing a stack trace. */
final class ClusterTypeAnalyzer extends AbstractFailureAnalyzer<ClusterTypeException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ClusterTypeException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Set muster.cluster.type to 'virtual' (the default: simulated machines) or 'kubernetes'.",
                cause);
    }
}
