package io.muster.job;

import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import io.muster.tenancy.TeamVolume;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Draws up attempts from the ledger and from what their team has. */
@Component
public class Blueprints {
    private final LedgerReader reader;
    private final LedgerDocuments documents;
    private final TeamDirectory teams;

    Blueprints(LedgerReader reader, LedgerDocuments documents, TeamDirectory teams) {
        this.reader = reader;
        this.documents = documents;
        this.teams = teams;
    }

    /** Empty when the ledger knows no such attempt. */
    public Optional<Blueprint> of(AttemptId id) {
        Optional<LedgerJob> job = reader.job(id.job());
        Optional<LedgerAttempt> attempt = reader.attempt(id);
        if (job.isEmpty() || attempt.isEmpty()) {
            return Optional.empty();
        }
        JobDocument document = documents.of(id.job(), attempt.get().revision());
        return Optional.of(blueprint(job.get(), attempt.get(), document, reader.replicas(id)));
    }

    /** Those of many that can be drawn up. Of the others, the reading of one tells whether they exist and what is wrong. */
    public Map<AttemptId, Blueprint> of(Collection<AttemptId> ids) {
        var jobs = new HashMap<JobId, LedgerJob>();
        reader.jobs(ids.stream().map(AttemptId::job).toList()).forEach(job -> jobs.put(job.id(), job));
        List<LedgerAttempt> attempts = reader.attempts(ids);
        var found = documents
                .of(attempts.stream().map(Blueprints::revision).toList())
                .documents();
        Map<AttemptId, List<LedgerReplica>> replicas = reader.replicas(ids);
        var blueprints = new HashMap<AttemptId, Blueprint>();
        for (LedgerAttempt attempt : attempts) {
            LedgerJob job = jobs.get(attempt.id().job());
            JobDocument document = found.get(revision(attempt));
            if (job != null && document != null) {
                blueprints.put(
                        attempt.id(),
                        blueprint(job, attempt, document, replicas.getOrDefault(attempt.id(), List.of())));
            }
        }
        return blueprints;
    }

    private static LedgerDocuments.Revision revision(LedgerAttempt attempt) {
        return new LedgerDocuments.Revision(attempt.id().job(), attempt.revision());
    }

    private Blueprint blueprint(
            LedgerJob job, LedgerAttempt attempt, JobDocument document, List<LedgerReplica> replicas) {
        TeamPath path = teams.find(job.team()).map(Team::path).orElse(document.team());
        return new Blueprint(job, attempt, document, path, volumes(job.team()), replicas);
    }

    private Map<String, Blueprint.Volume> volumes(TeamId team) {
        var volumes = new HashMap<String, Blueprint.Volume>();
        for (TeamVolume volume : teams.volumes(team)) {
            volumes.put(volume.name(), new Blueprint.Volume(volume.claim(), volume.subPath(), volume.readOnly()));
        }
        return volumes;
    }
}
