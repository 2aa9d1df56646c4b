package io.muster.database;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells a person what to do instead of showing a stack trace. */
final class DataFolderInUseAnalyzer extends AbstractFailureAnalyzer<DataFolderInUseException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DataFolderInUseException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Stop the other server, or give this one a folder of its own (MUSTER_DATA=another-folder),"
                        + " or let both share a Postgres (MUSTER_DATABASE_URL=jdbc:postgresql://...).",
                cause);
    }
}
