package io.muster.security;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** A caller as the filter chain knows it; made anew for every request and never stored. */
final class CallerAuthentication extends AbstractAuthenticationToken {
    static final String PERSON = "PERSON";

    private final transient Caller caller;

    CallerAuthentication(Caller caller) {
        super(List.of(new SimpleGrantedAuthority(PERSON)));
        this.caller = caller;
        setAuthenticated(true);
    }

    @Override
    public @Nullable Object getCredentials() {
        return null;
    }

    @Override
    public Caller getPrincipal() {
        return caller;
    }

    @Override
    public String getName() {
        return caller.reader().username();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CallerAuthentication that && caller.equals(that.caller);
    }

    @Override
    public int hashCode() {
        return caller.hashCode();
    }
}
