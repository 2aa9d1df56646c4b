package io.muster.web.jobs;

import io.muster.job.JobFilter;
import io.muster.model.JobState;
import io.muster.model.PoolId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import io.muster.web.problem.Problem;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Makes a filter of the parameters of a list, within what the reader may ask for. */
@Component
class JobFilters {
    private static final int LONGEST = 200;

    private final TeamDirectory teams;
    private final People people;

    JobFilters(TeamDirectory teams, People people) {
        this.teams = teams;
        this.people = people;
    }

    /** As asked, of a list or of its groups; {@code inner} false leaves out the teams inside the one named. */
    record Asked(
            @Nullable String team,
            @Nullable Boolean inner,
            @Nullable String user,
            @Nullable List<String> state,
            @Nullable String priority,
            @Nullable String pool,
            @Nullable String q,
            @Nullable List<String> label) {}

    /** Empty when nothing can match: a team or a user that does not exist. */
    Optional<JobFilter> of(Asked asked, @Nullable String order, Reader reader) {
        Map<String, String> labels = labels(asked.label());
        String text = text("q", asked.q());
        Optional<Set<TeamId>> within = teams(asked.team(), !Boolean.FALSE.equals(asked.inner()));
        Optional<UserId> owner = owner(asked.user(), reader);
        boolean unknownTeam = given(asked.team()) && within.isEmpty();
        boolean unknownUser = given(asked.user()) && owner.isEmpty();
        if (unknownTeam || unknownUser) {
            return Optional.empty();
        }
        // Names, labels and owners are the teams' own affair: whoever filters by them sees their own teams only.
        boolean insideOnly = text != null || !labels.isEmpty() || owner.isPresent();
        return Optional.of(new JobFilter(
                within.orElse(null),
                insideOnly && !reader.platformAdmin() ? reader.teamsWith(Role.VIEWER) : null,
                owner.orElse(null),
                states(asked.state()),
                text("priority", asked.priority()),
                given(asked.pool()) ? new PoolId(String.valueOf(text("pool", asked.pool()))) : null,
                text,
                labels,
                oldestFirst(order)));
    }

    private Optional<Set<TeamId>> teams(@Nullable String path, boolean inner) {
        if (path == null || path.isEmpty() || !TeamPath.isValid(path)) {
            return Optional.empty();
        }
        Set<TeamId> found = teams.all().stream()
                .filter(t -> t.path().value().equals(path)
                        || inner && t.path().value().startsWith(path + "/"))
                .map(Team::id)
                .collect(Collectors.toSet());
        return found.isEmpty() ? Optional.empty() : Optional.of(found);
    }

    private Optional<UserId> owner(@Nullable String user, Reader reader) {
        if (user == null || user.isEmpty()) {
            return Optional.empty();
        }
        return user.equals("me")
                ? Optional.of(reader.user())
                : people.find(user).map(Person::id);
    }

    private static Set<JobState> states(@Nullable List<String> words) {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        for (String word : words == null ? List.<String>of() : words) {
            if (!word.isEmpty()) {
                states.addAll(states(word));
            }
        }
        return states;
    }

    private static Set<JobState> states(String word) {
        return switch (word) {
            case "waiting" -> EnumSet.of(JobState.QUEUED, JobState.HELD);
            case "active" -> EnumSet.of(JobState.STARTING, JobState.RUNNING, JobState.CHECKPOINTING, JobState.STOPPING);
            case "ended" -> EnumSet.of(JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED);
            default ->
                Arrays.stream(JobState.values())
                        .filter(s -> s.name().equals(word.toUpperCase(Locale.ROOT)))
                        .findFirst()
                        .map(EnumSet::of)
                        .orElseThrow(() -> Problem.invalid("state", "must be a state, waiting, active or ended"));
        };
    }

    private static Map<String, String> labels(@Nullable List<String> given) {
        Map<String, String> labels = new TreeMap<>();
        for (String each : given == null ? List.<String>of() : given) {
            int colon = each.indexOf(':');
            if (colon < 1 || each.length() > LONGEST) {
                throw Problem.invalid("label", "must be name:value");
            }
            labels.put(each.substring(0, colon), each.substring(colon + 1));
        }
        return labels;
    }

    private static @Nullable String text(String field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            return null;
        }
        if (value.length() > LONGEST) {
            throw Problem.invalid(field, "must have at most %d characters".formatted(LONGEST));
        }
        if (value.indexOf('\0') >= 0) {
            throw Problem.invalid(field, "must not have the character U+0000");
        }
        return value.strip();
    }

    private static boolean oldestFirst(@Nullable String order) {
        if (order == null || order.isEmpty() || order.equals("newest")) {
            return false;
        }
        if (order.equals("oldest")) {
            return true;
        }
        throw Problem.invalid("order", "must be newest or oldest");
    }

    private static boolean given(@Nullable String value) {
        return value != null && !value.isEmpty();
    }
}
