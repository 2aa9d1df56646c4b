package io.muster.cycle;

import io.muster.job.JobDocument;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A document as planning needs it: of a hundred thousand jobs, what their programs are like would be large. */
final class LeanDocument {
    private static final SortedMap<String, String> NO_LABELS = Collections.unmodifiableSortedMap(new TreeMap<>());

    private LeanDocument() {}

    static JobDocument of(JobDocument whole) {
        return new JobDocument(
                whole.name(),
                whole.team(),
                whole.priority(),
                whole.groups().stream().map(LeanDocument::lean).toList(),
                whole.gpuTypes(),
                whole.minGpuMemoryMib(),
                whole.pool(),
                whole.topology(),
                whole.walltime(),
                whole.preemptible(),
                whole.checkpoint(),
                whole.userRetries(),
                List.of(),
                NO_LABELS);
    }

    private static JobDocument.Group lean(JobDocument.Group g) {
        return new JobDocument.Group(
                g.name(),
                g.replicas(),
                g.min(),
                g.each(),
                g.sharedMemoryBytes(),
                "",
                List.of(),
                null,
                Map.of(),
                g.slices());
    }
}
