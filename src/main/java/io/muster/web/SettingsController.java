package io.muster.web;

import io.muster.job.PlainDuration;
import io.muster.job.Quantity;
import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.model.TeamOrder;
import io.muster.tenancy.Reader;
import io.muster.tenancy.SettingsEditor;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamBook;
import io.muster.tenancy.TeamDefaults;
import io.muster.tenancy.TeamDirectory;
import io.muster.tenancy.TeamVolume;
import io.muster.web.problem.ETags;
import io.muster.web.view.SettingsView;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What fills in and bounds a team's jobs, and the volumes they may mount. */
@RestController
@RequestMapping("/api/v1/teams/{id}")
class SettingsController {
    private final TeamGate gate;
    private final TeamDirectory teams;
    private final TeamBook book;
    private final SettingsEditor editor;

    SettingsController(TeamGate gate, TeamDirectory teams, TeamBook book, SettingsEditor editor) {
        this.gate = gate;
        this.teams = teams;
        this.book = book;
        this.editor = editor;
    }

    @GetMapping("/settings")
    ResponseEntity<SettingsView> get(@PathVariable String id, Reader reader) {
        return answer(gate.inside(reader, id, Role.VIEWER));
    }

    @PutMapping("/settings")
    ResponseEntity<SettingsView> set(
            @PathVariable String id,
            @RequestBody SettingsView.Defaults body,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            Reader reader) {
        Team team = gate.inside(reader, id, Role.TEAM_ADMIN);
        editor.setDefaults(reader.user(), team.id(), read(body), ETags.required(ifMatch));
        return answer(team);
    }

    /** Volumes name claims in the cluster, which a team could not be trusted to choose. */
    @PutMapping("/volumes/{name}")
    SettingsView.Volume setVolume(
            @PathVariable String id,
            @PathVariable String name,
            @RequestBody SettingsView.VolumeBody body,
            Reader reader) {
        TeamGate.platformAdmin(reader);
        Team team = gate.team(id);
        return view(editor.setVolume(
                reader.user(), new TeamVolume(team.id(), name, body.claim(), body.subPath(), body.readOnly())));
    }

    @DeleteMapping("/volumes/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void removeVolume(@PathVariable String id, @PathVariable String name, Reader reader) {
        TeamGate.platformAdmin(reader);
        editor.removeVolume(reader.user(), gate.team(id).id(), name);
    }

    private ResponseEntity<SettingsView> answer(Team team) {
        TeamBook.Settings own = book.settings(team.id());
        var view = new SettingsView(
                view(own.own()),
                view(teams.defaults(team.id())),
                teams.volumes(team.id()).stream().map(this::view).toList(),
                own.version());
        return ResponseEntity.ok().eTag(ETags.of(own.version())).body(view);
    }

    private SettingsView.Volume view(TeamVolume v) {
        return new SettingsView.Volume(v.name(), gate.path(v.team()), v.claim(), v.subPath(), v.readOnly());
    }

    private static SettingsView.Defaults view(TeamDefaults d) {
        return new SettingsView.Defaults(
                shown(d.cpuMillisPerGpu(), Quantity::cpus),
                shown(d.memoryBytesPerGpu(), Quantity::bytes),
                shown(d.sharedMemoryBytes(), Quantity::bytes),
                shown(d.walltime(), PlainDuration::of),
                shown(d.maxWalltime(), PlainDuration::of),
                d.imageAllowlist(),
                d.userGpuCap(),
                d.userQueueCap(),
                shown(d.order(), PolicyValuesForm::word));
    }

    private static TeamDefaults read(SettingsView.Defaults d) {
        return new TeamDefaults(
                amount("cpusPerGpu", d.cpusPerGpu(), Quantity::thousandths),
                amount("memoryPerGpu", d.memoryPerGpu(), Quantity::units),
                amount("sharedMemory", d.sharedMemory(), Quantity::units),
                duration("walltime", d.walltime()),
                duration("maxWalltime", d.maxWalltime()),
                d.imageAllowlist(),
                d.userGpuCap(),
                d.userQueueCap(),
                order(d.order()));
    }

    private static @Nullable TeamOrder order(@Nullable String word) {
        return word == null || word.isBlank()
                ? null
                : PolicyValuesForm.choice(TeamOrder.class, word.strip())
                        .orElseThrow(() -> Refusal.invalid("order", PolicyValuesForm.choices(TeamOrder.class)));
    }

    private static <T> @Nullable String shown(@Nullable T value, Function<T, String> as) {
        return value == null ? null : as.apply(value);
    }

    private static @Nullable Long amount(String field, @Nullable String text, Function<String, OptionalLong> reading) {
        if (text == null || text.isBlank()) return null;
        return reading.apply(text.strip())
                .orElseThrow(() -> Refusal.invalid(field, "must be a quantity such as 8 or 64Gi"));
    }

    static @Nullable Duration duration(String field, @Nullable String text) {
        if (text == null || text.isBlank()) return null;
        return PlainDuration.parse(text.strip())
                .orElseThrow(() -> Refusal.invalid(field, "must be a duration such as 90s, 15m, 12h or 2d"));
    }
}
