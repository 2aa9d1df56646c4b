package io.muster.database;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Another server works on this data folder. */
final class DataFolderInUseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DataFolderInUseException(Path folder, @Nullable String processId) {
        super("The data folder " + folder + " is in use by another Muster server"
                + (processId == null ? "." : " (process " + processId + ")."));
    }
}
