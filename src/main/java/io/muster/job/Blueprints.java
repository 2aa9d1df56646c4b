package io.muster.job;

import io.muster.model.AttemptId;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import io.muster.tenancy.TeamVolume;
import java.util.HashMap;
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
        TeamId team = job.get().team();
        TeamPath path = teams.find(team).map(Team::path).orElse(document.team());
        return Optional.of(new Blueprint(job.get(), attempt.get(), document, path, volumes(team), reader.replicas(id)));
    }

    private Map<String, Blueprint.Volume> volumes(TeamId team) {
        var volumes = new HashMap<String, Blueprint.Volume>();
        for (TeamVolume volume : teams.volumes(team)) {
            volumes.put(volume.name(), new Blueprint.Volume(volume.claim(), volume.subPath(), volume.readOnly()));
        }
        return volumes;
    }
}
