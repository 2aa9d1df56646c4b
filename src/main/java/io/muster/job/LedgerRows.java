package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.lifecycle.Life;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the things of the ledger of its rows; a row that makes no sense is an exception. */
final class LedgerRows {
    private LedgerRows() {}

    static LedgerJob job(ResultSet row) throws SQLException {
        String after = row.getString("after_state");
        return new LedgerJob(
                new JobId(row.getLong("id")),
                new TeamId(row.getObject("team_id", UUID.class)),
                new UserId(row.getObject("submitted_by", UUID.class)),
                row.getInt("revision"),
                row.getString("priority_class"),
                row.getBoolean("preemptible"),
                row.getInt("gpus"),
                row.getInt("replicas"),
                row.getBoolean("never_fits"),
                new Life(JobState.valueOf(row.getString("state")), after == null ? null : Life.After.valueOf(after)),
                row.getInt("attempt"),
                SqlInstant.readSound(row, "submitted_at"),
                SqlInstant.readSound(row, "waiting_since"),
                past(row),
                row.getLong("version"));
    }

    private static LedgerJob.Past past(ResultSet row) throws SQLException {
        String pool = row.getString("pool");
        return new LedgerJob.Past(
                SqlInstant.readSoundOrNull(row, "first_started_at"),
                pool == null ? null : new PoolId(pool),
                row.getString("hold_why"),
                SqlInstant.readSoundOrNull(row, "backoff_until"),
                failure(row, "backoff_after"),
                strings(row, "excluded_nodes").stream().map(NodeId::new).toList(),
                longs(row, "not_beside").stream().map(JobId::new).toList(),
                row.getLong("ran_seconds"),
                row.getInt("user_retries_used"),
                row.getInt("infrastructure_retries_used"),
                longs(row, "preempted").stream()
                        .map(micros -> Instant.EPOCH.plus(micros, ChronoUnit.MICROS))
                        .toList(),
                SqlInstant.readSoundOrNull(row, "protected_until"),
                row.getString("resume_path"),
                row.getObject("resume_step", Long.class));
    }

    static LedgerAttempt attempt(ResultSet row) throws SQLException {
        Long beneficiary = row.getObject("beneficiary", Long.class);
        return new LedgerAttempt(
                new AttemptId(new JobId(row.getLong("job_id")), row.getInt("number")),
                row.getInt("revision"),
                new PoolId(row.getString("pool")),
                new GpuTypeId(row.getString("gpu_type")),
                row.getBoolean("backfilled"),
                row.getInt("replicas"),
                row.getInt("gpus"),
                SqlInstant.readSound(row, "placed_at"),
                SqlInstant.readSoundOrNull(row, "running_at"),
                SqlInstant.readSoundOrNull(row, "ended_at"),
                failure(row, "failure"),
                row.getString("message"),
                row.getString("resume_path"),
                row.getObject("resume_step", Long.class),
                beneficiary == null ? null : new JobId(beneficiary),
                row.getBoolean("moves"),
                signal(row),
                SqlInstant.readSoundOrNull(row, "last_checkpoint_at"),
                SqlInstant.readSoundOrNull(row, "first_step_at"),
                row.getBoolean("program_finished"),
                row.getLong("lost_gpu_seconds"));
    }

    private static LedgerAttempt.@Nullable Signal signal(ResultSet row) throws SQLException {
        UUID id = row.getObject("signal_id", UUID.class);
        return id == null
                ? null
                : new LedgerAttempt.Signal(
                        id,
                        SqlInstant.readSound(row, "signal_at"),
                        SqlInstant.readSound(row, "signal_deadline"),
                        row.getBoolean("signal_then_stop"));
    }

    static ReplicaId replicaId(ResultSet row) throws SQLException {
        return new ReplicaId(
                new AttemptId(new JobId(row.getLong("job_id")), row.getInt("attempt")),
                row.getString("grp"),
                row.getInt("idx"));
    }

    static LedgerReplica replica(ResultSet row) throws SQLException {
        return new LedgerReplica(
                replicaId(row),
                row.getInt("rank_order"),
                new NodeId(row.getString("node")),
                amount(row),
                LedgerReplica.Stage.valueOf(row.getString("phase")),
                row.getString("reason"),
                row.getObject("exit_code", Integer.class),
                failure(row, "failure"),
                row.getString("message"),
                SqlInstant.readSoundOrNull(row, "phase_at"),
                SqlInstant.readSoundOrNull(row, "started_at"),
                SqlInstant.readSoundOrNull(row, "released_at"));
    }

    private static Resources amount(ResultSet row) throws SQLException {
        var amount = new Resources(row.getInt("gpus"), row.getLong("cpu_millis"), row.getLong("memory_bytes"));
        if (!Resources.NONE.fitsIn(amount)) {
            throw new IllegalArgumentException("it holds " + amount);
        }
        return amount;
    }

    private static @Nullable FailureClass failure(ResultSet row, String column) throws SQLException {
        String name = row.getString(column);
        return name == null ? null : FailureClass.valueOf(name);
    }

    private static List<String> strings(ResultSet row, String column) throws SQLException {
        return values(row.getArray(column), String.class);
    }

    private static List<Long> longs(ResultSet row, String column) throws SQLException {
        return values(row.getArray(column), Long.class);
    }

    private static <T> List<T> values(@Nullable Array array, Class<T> type) throws SQLException {
        var values = new ArrayList<T>();
        if (array != null) {
            for (Object value : (Object[]) array.getArray()) {
                values.add(type.cast(value));
            }
        }
        return values;
    }
}
