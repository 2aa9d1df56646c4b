package io.muster.security;

import io.muster.model.AttemptId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** The program of one attempt; it reaches that attempt's endpoints and nothing else. */
final class AttemptAuthentication extends AbstractAuthenticationToken {
    static final String ATTEMPT = "ATTEMPT";

    private final transient AttemptId attempt;

    AttemptAuthentication(AttemptId attempt) {
        super(List.of(new SimpleGrantedAuthority(ATTEMPT)));
        this.attempt = attempt;
        setAuthenticated(true);
    }

    @Override
    public @Nullable Object getCredentials() {
        return null;
    }

    @Override
    public AttemptId getPrincipal() {
        return attempt;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AttemptAuthentication that && attempt.equals(that.attempt);
    }

    @Override
    public int hashCode() {
        return attempt.hashCode();
    }
}
