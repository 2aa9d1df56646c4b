package io.muster.job;

import io.muster.job.document.DocumentReader;
import io.muster.job.document.Node;
import io.muster.model.JobId;
import io.muster.model.Refusal;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** Takes new jobs. A job, its document, its first event and its idempotency key are stored together or not at all. */
@Service
public class JobSubmission {
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7E]{1,255}");

    private final DocumentCheck check;
    private final JobRows rows;
    private final JobInserts inserts;
    private final TeamDirectory teams;
    private final TransactionOperations transactions;
    private final ApplicationEventPublisher publisher;
    private final Clock clock;

    JobSubmission(
            DocumentCheck check,
            JobRows rows,
            JobInserts inserts,
            TeamDirectory teams,
            TransactionOperations transactions,
            ApplicationEventPublisher publisher,
            Clock clock) {
        this.check = check;
        this.rows = rows;
        this.inserts = inserts;
        this.teams = teams;
        this.transactions = transactions;
        this.publisher = publisher;
        this.clock = clock;
    }

    /** What became of a submission. */
    public sealed interface Outcome {
        /** Stored, and as it stands now. */
        record Stored(StoredJob job) implements Outcome {}

        /** Stored by an earlier request with the same key. */
        record StoredBefore(JobId job) implements Outcome {}

        /** The key was used for another document: that of {@code job}. */
        record KeyReused(JobId job) implements Outcome {}
    }

    /** A document as it would be stored, and as YAML what was written. */
    public record Sketch(JobDocument document, Team team, String yaml) {}

    /**
     * Stores a job.
     *
     * @param key the idempotency key, or null
     * @throws DocumentRefused when the document is not valid
     */
    public Outcome submit(Reader reader, DocumentText text, @Nullable String key) {
        if (key != null && !KEY.matcher(key).matches()) {
            throw Refusal.invalid("Idempotency-Key", "must have 1 to 255 visible ASCII characters");
        }
        byte[] hash = hash(text);
        try {
            return store(reader, check.check(reader, parse(text), null), key, hash);
        } catch (DocumentRefused | DuplicateKeyException e) {
            // What was accepted once stays so; and somebody may have been quicker with the same key: theirs is the job.
            return earlier(reader, key, hash).orElseThrow(() -> e);
        }
    }

    /** Checks a document without storing anything. */
    public Sketch sketch(Reader reader, DocumentText text) {
        DocumentCheck.Checked checked = checkNew(reader, text);
        return new Sketch(checked.document(), checked.team(), DocumentYaml.of(checked.written()));
    }

    private DocumentCheck.Checked checkNew(Reader reader, DocumentText text) {
        DocumentCheck.Checked checked = check.check(reader, parse(text), null);
        Integer cap = teams.defaults(checked.team().id()).userQueueCap();
        if (cap != null) {
            int waiting = rows.waiting(checked.team().id(), reader.user());
            if (waiting >= cap) {
                throw full(checked.team(), waiting);
            }
        }
        return checked;
    }

    private DocumentRefused full(Team team, int waiting) {
        return DocumentRefused.invalid(List.of(new DocumentFault(
                "team",
                "user-queue-cap",
                "you have %d jobs waiting in %s; at most %d"
                        .formatted(
                                waiting, team.path(), teams.defaults(team.id()).userQueueCap()),
                null,
                null)));
    }

    static Node.Fields parse(DocumentText text) {
        return switch (DocumentReader.parse(text)) {
            case DocumentReader.Parsed.Tree(Node.Fields root) -> root;
            case DocumentReader.Parsed.Broken(DocumentFault fault) -> throw DocumentRefused.broken(fault);
        };
    }

    private Outcome store(Reader reader, DocumentCheck.Checked checked, @Nullable String key, byte[] hash) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        Integer cap = teams.defaults(checked.team().id()).userQueueCap();
        return switch (insert(reader, checked, now, key, hash, cap)) {
            case JobInserts.Inserted.New(JobId id) -> {
                publisher.publishEvent(new JobSubmitted(id, checked.team().id()));
                yield new Outcome.Stored(StoredJob.fresh(id, checked, reader.user(), now));
            }
            case JobInserts.Inserted.KeyUsed(JobRows.Used by) -> outcome(by, hash);
            case JobInserts.Inserted.QueueFull(int waiting) -> throw full(checked.team(), waiting);
            case JobInserts.Inserted.TeamArchived() ->
                throw DocumentRefused.invalid(List.of(new DocumentFault(
                        "team", "unknown-team", checked.team().path() + " was archived meanwhile", null, null)));
        };
    }

    /** Where there is a cap, one's own submissions take turns: a hundred at once do not all find the last free place. */
    private JobInserts.Inserted insert(
            Reader reader,
            DocumentCheck.Checked checked,
            Instant now,
            @Nullable String key,
            byte[] hash,
            @Nullable Integer cap) {
        var row = new JobInserts.Row(checked, reader.user(), now, key, hash, cap);
        if (cap == null) {
            return inserts.insert(row);
        }
        return Objects.requireNonNull(transactions.execute(status -> {
            rows.takeTurn(checked.team().id(), reader.user());
            return inserts.insertHere(row);
        }));
    }

    private Optional<Outcome> earlier(Reader reader, @Nullable String key, byte[] hash) {
        return key == null ? Optional.empty() : rows.byKey(reader.user(), key).map(used -> outcome(used, hash));
    }

    private static Outcome outcome(JobRows.Used used, byte[] hash) {
        return Arrays.equals(used.hash(), hash)
                ? new Outcome.StoredBefore(used.job())
                : new Outcome.KeyReused(used.job());
    }

    private static byte[] hash(DocumentText text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((byte) text.format().ordinal());
            return digest.digest(Objects.requireNonNull(text.bytes()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
