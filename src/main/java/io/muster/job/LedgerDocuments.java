package io.muster.job;

import io.muster.model.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads stored documents. A revision never changes, so the last {@value #KEPT} are kept in memory. */
@Component
public class LedgerDocuments {
    private static final int KEPT = 1_000;

    private final JdbcClient jdbc;
    private final Map<Revision, JobDocument> cache = new LinkedHashMap<>(256, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Revision, JobDocument> eldest) {
            return size() > KEPT;
        }
    };

    LedgerDocuments(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A job's document at a revision. */
    public record Revision(JobId job, int number) {}

    public JobDocument of(JobId job, int revision) {
        var key = new Revision(job, revision);
        JobDocument document = of(List.of(key)).get(key);
        if (document == null) {
            throw new IllegalStateException("job " + job + " has no document of revision " + revision);
        }
        return document;
    }

    /** Those that exist of many, read in one go. */
    public Map<Revision, JobDocument> of(Collection<Revision> revisions) {
        var found = new HashMap<Revision, JobDocument>();
        var missing = new ArrayList<Revision>();
        synchronized (cache) {
            for (Revision revision : revisions) {
                JobDocument document = cache.get(revision);
                if (document == null) {
                    missing.add(revision);
                } else {
                    found.put(revision, document);
                }
            }
        }
        if (!missing.isEmpty()) {
            Map<Revision, JobDocument> read = read(missing);
            // A large reading is the loop's, which keeps what it needs itself.
            if (read.size() <= KEPT / 10) {
                synchronized (cache) {
                    cache.putAll(read);
                }
            }
            found.putAll(read);
        }
        return found;
    }

    private Map<Revision, JobDocument> read(List<Revision> revisions) {
        var read = new HashMap<Revision, JobDocument>();
        jdbc.sql("""
                        select d.job_id, d.revision, d.document
                        from unnest(:jobs::bigint[], :revisions::int[]) as w (job_id, revision)
                        join job_document d using (job_id, revision)
                        """)
                .param("jobs", revisions.stream().map(r -> r.job().value()).toArray(Long[]::new))
                .param("revisions", revisions.stream().map(Revision::number).toArray(Integer[]::new))
                .query(row -> {
                    var key = new Revision(new JobId(row.getLong("job_id")), row.getInt("revision"));
                    read.put(key, JobDocumentCodec.fromJson(row.getString("document")));
                });
        return read;
    }
}
