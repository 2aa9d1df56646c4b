package io.muster.tenancy;

import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Sets what fills in and bounds a team's jobs, and the volumes that they may mount. */
@Component
@Transactional
public class SettingsEditor {
    private static final int MOST_IMAGES = 100;
    private static final Pattern IMAGE_PREFIX = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,254}");
    private static final Pattern CLAIM = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final Pattern SUB_PATH = Pattern.compile("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*");
    private static final Duration LONGEST = Duration.ofDays(3650);

    private final Edits edits;

    SettingsEditor(Edits edits) {
        this.edits = edits;
    }

    public TeamBook.Settings setDefaults(@Nullable UserId by, TeamId team, TeamDefaults defaults, @Nullable Long seen) {
        TenancyState state = edits.begin();
        Edits.openTeam(state, team);
        check(defaults);
        var found = edits.find(DefaultsEntity.class, team.value());
        Edits.unchanged(seen, found.map(d -> d.version).orElse(0L));
        var own = state.ownDefaults(team);
        DefaultsEntity row = found.orElseGet(() -> new DefaultsEntity(team.value()));
        row.set(defaults);
        if (found.isEmpty()) edits.rows.persist(row);
        edits.done(by, "team.settings", TeamEditor.subject(team), own == null ? null : own.defaults(), defaults);
        return new TeamBook.Settings(defaults, row.version);
    }

    public TeamVolume setVolume(@Nullable UserId by, TeamVolume volume) {
        Edits.openTeam(edits.begin(), volume.team());
        check(volume);
        var key = new VolumeEntity.Key(volume.team().value(), volume.name());
        var found = edits.find(VolumeEntity.class, key);
        Object before = found.map(SettingsEditor::shown).orElse(null);
        VolumeEntity row = found.orElseGet(() -> new VolumeEntity(key, volume.claim()));
        row.claim = volume.claim();
        row.subPath = volume.subPath();
        row.readOnly = volume.readOnly();
        if (found.isEmpty()) edits.rows.persist(row);
        edits.done(by, "volume.set", subject(volume.team(), volume.name()), before, shown(row));
        return volume;
    }

    public void removeVolume(@Nullable UserId by, TeamId team, String name) {
        edits.begin();
        VolumeEntity row = edits.find(VolumeEntity.class, new VolumeEntity.Key(team.value(), name))
                .orElseThrow(() -> Refusal.notFound("volume"));
        edits.rows.remove(row);
        edits.done(by, "volume.remove", subject(team, name), shown(row), null);
    }

    private static void check(TeamDefaults defaults) {
        positive("cpusPerGpu", defaults.cpuMillisPerGpu());
        positive("memoryPerGpu", defaults.memoryBytesPerGpu());
        positive("sharedMemory", defaults.sharedMemoryBytes());
        positive("userGpuCap", defaults.userGpuCap());
        positive("userQueueCap", defaults.userQueueCap());
        bounded("walltime", defaults.walltime());
        bounded("maxWalltime", defaults.maxWalltime());
        Duration walltime = defaults.walltime();
        Duration most = defaults.maxWalltime();
        if (walltime != null && most != null && walltime.compareTo(most) > 0) {
            throw Refusal.invalid("walltime", "must be at most maxWalltime");
        }
        if (defaults.imageAllowlist().size() > MOST_IMAGES) {
            throw Refusal.invalid("imageAllowlist", "must have at most " + MOST_IMAGES + " entries");
        }
        for (int i = 0; i < defaults.imageAllowlist().size(); i++) {
            if (!IMAGE_PREFIX.matcher(defaults.imageAllowlist().get(i)).matches()) {
                throw Refusal.invalid("imageAllowlist[" + i + "]", "must be like registry.example/repository");
            }
        }
    }

    private static void check(TeamVolume volume) {
        Names.slug("name", volume.name());
        if (!CLAIM.matcher(volume.claim()).matches()) {
            throw Refusal.invalid("claim", "must be the name of a persistent volume claim");
        }
        String subPath = volume.subPath();
        if (subPath != null && (!SUB_PATH.matcher(subPath).matches() || upwards(subPath))) {
            throw Refusal.invalid("subPath", "must be a relative path without '..'");
        }
    }

    private static boolean upwards(String path) {
        return Pattern.compile("/").splitAsStream(path).anyMatch(part -> part.equals("..") || part.equals("."));
    }

    private static void positive(String field, @Nullable Number value) {
        if (value != null && value.longValue() <= 0) throw Refusal.invalid(field, "must be more than 0");
    }

    private static void bounded(String field, @Nullable Duration value) {
        if (value != null && (value.toSeconds() < 1 || value.compareTo(LONGEST) > 0)) {
            throw Refusal.invalid(field, "must be between 1s and " + LONGEST.toDays() + "d");
        }
    }

    private static Map<String, Object> shown(VolumeEntity row) {
        return Map.of("claim", row.claim, "subPath", row.subPath == null ? "" : row.subPath, "readOnly", row.readOnly);
    }

    private static String subject(TeamId team, String volume) {
        return "volume:" + team + "/" + volume;
    }
}
