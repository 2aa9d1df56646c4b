package io.muster.security;

import io.muster.model.TeamId;
import io.muster.tenancy.People;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What a credential makes of whoever shows it, now: their teams and roles are looked up each time. */
@Component
public class Callers {
    private final People people;
    private final TeamDirectory teams;
    private final ApiTokens tokens;
    private final JdbcClient jdbc;

    Callers(People people, TeamDirectory teams, ApiTokens tokens, JdbcClient jdbc) {
        this.people = people;
        this.teams = teams;
        this.tokens = tokens;
        this.jdbc = jdbc;
    }

    /** Nobody when the user is disabled. */
    Optional<Caller> of(Sessions.Held session) {
        return people.reader(session.user()).map(r -> new Caller(r, session.id(), null, session.mustChange()));
    }

    /** Nobody when the owner is disabled; whether the token works is the caller's to ask. */
    Optional<Caller> of(ApiToken token) {
        return people.reader(token.owner()).map(owner -> {
            Reader reader = token.scope().narrow(owner, reach(token.team()));
            return new Caller(reader, null, token.id(), false);
        });
    }

    /**
     * Looks again at callers who were let in a while ago, by two queries however many they are.
     *
     * @return what each may do now; whoever is not in it may do nothing any more
     */
    public Map<Caller, Caller> again(Collection<Caller> callers) {
        Set<String> sessions = liveSessions(callers);
        Map<UUID, ApiToken> working = tokens.working(
                callers.stream().map(Caller::token).filter(Objects::nonNull).collect(Collectors.toSet()));
        var now = new HashMap<Caller, Caller>();
        for (Caller caller : Set.copyOf(callers)) {
            again(caller, sessions, working).ifPresent(c -> now.put(caller, c));
        }
        return now;
    }

    private Optional<Caller> again(Caller caller, Set<String> sessions, Map<UUID, ApiToken> working) {
        if (caller.session() != null) {
            return people.reader(caller.reader().user())
                    .filter(r -> sessions.contains(caller.session()))
                    .map(r -> new Caller(r, caller.session(), null, caller.mustChangePassword()));
        }
        ApiToken token = caller.token() == null ? null : working.get(caller.token());
        return token == null ? Optional.empty() : of(token);
    }

    /** Sessions and their ends are in real milliseconds, as Spring Session writes them. */
    private Set<String> liveSessions(Collection<Caller> callers) {
        String[] asked = callers.stream()
                .map(Caller::session)
                .filter(Objects::nonNull)
                .distinct()
                .toArray(String[]::new);
        if (asked.length == 0) return Set.of();
        return new HashSet<>(jdbc.sql("""
                        select session_id from spring_session where session_id = any(:asked)
                            and expiry_time > extract(epoch from clock_timestamp()) * 1000
                            and creation_time > extract(epoch from clock_timestamp()) * 1000 - :longest
                        """)
                .param("asked", asked)
                .param("longest", Sessions.LONGEST.toMillis())
                .query((row, n) -> row.getString(1).strip())
                .list());
    }

    /** The token's team and every team below it. */
    private @Nullable Set<TeamId> reach(@Nullable TeamId top) {
        if (top == null) return null;
        String path = teams.find(top).map(t -> t.path().value()).orElse("");
        return teams.all().stream()
                .filter(t -> t.id().equals(top) || t.path().value().startsWith(path + "/"))
                .map(Team::id)
                .collect(Collectors.toSet());
    }
}
