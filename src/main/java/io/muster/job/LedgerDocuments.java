package io.muster.job;

import io.muster.model.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Reads stored documents. A revision never changes, so the last {@value #KEPT} are kept in memory. One that cannot be
 * read keeps nobody from the others.
 */
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

    /**
     * What was found of many.
     *
     * @param unreadable why each of the others could not be read, or that it is missing
     */
    public record Found(Map<Revision, JobDocument> documents, Map<Revision, String> unreadable) {}

    /** @throws IllegalStateException when it is missing or cannot be read */
    public JobDocument of(JobId job, int revision) {
        var key = new Revision(job, revision);
        Found found = of(List.of(key));
        JobDocument document = found.documents().get(key);
        if (document == null) {
            throw new IllegalStateException("the document of job " + job + ", revision " + revision
                    + ", cannot be read: " + found.unreadable().get(key));
        }
        return document;
    }

    /** Empty when it is missing or cannot be read: what must go on without it can. */
    public Optional<JobDocument> find(JobId job, int revision) {
        var key = new Revision(job, revision);
        return Optional.ofNullable(of(List.of(key)).documents().get(key));
    }

    /** Many, read in one go. */
    public Found of(Collection<Revision> revisions) {
        if (revisions.isEmpty()) {
            return new Found(Map.of(), Map.of());
        }
        var found = new HashMap<Revision, JobDocument>();
        var unreadable = new HashMap<Revision, String>();
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
            Map<Revision, JobDocument> read = read(missing, unreadable);
            // A large reading is the loop's, which keeps what it needs itself.
            if (read.size() <= KEPT / 10) {
                synchronized (cache) {
                    cache.putAll(read);
                }
            }
            found.putAll(read);
            missing.stream().filter(r -> !read.containsKey(r)).forEach(r -> unreadable.putIfAbsent(r, "it is missing"));
        }
        return new Found(found, unreadable);
    }

    private Map<Revision, JobDocument> read(List<Revision> revisions, Map<Revision, String> unreadable) {
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
                    try {
                        read.put(key, JobDocumentCodec.fromJson(row.getString("document")));
                    } catch (RuntimeException e) {
                        unreadable.put(key, String.valueOf(e.getMessage()));
                    }
                });
        return read;
    }
}
