package io.muster.web;

import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.security.ApiToken;
import io.muster.security.TokenScope;
import io.muster.web.view.TokenView;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Shows tokens and reads what is asked for one. */
@Component
class TokenViews {
    private final TeamGate gate;

    TokenViews(TeamGate gate) {
        this.gate = gate;
    }

    TokenView of(ApiToken token) {
        TeamId team = token.team();
        return new TokenView(
                token.id().toString(),
                token.name(),
                token.prefix(),
                token.scope().name(),
                team == null ? null : gate.path(team),
                token.createdAt(),
                token.expiresAt(),
                token.lastUsedAt(),
                token.revoked());
    }

    TokenView.Created of(ApiToken.Created created) {
        return new TokenView.Created(of(created.token()), created.secret());
    }

    static TokenScope scope(String name) {
        return Arrays.stream(TokenScope.values())
                .filter(s -> s.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Refusal.invalid("scope", "must be READ, SUBMIT or ADMIN"));
    }

    static Duration life(String text) {
        Duration life = SettingsController.duration("expiresIn", text);
        if (life == null) throw Refusal.invalid("expiresIn", "is missing");
        return life;
    }

    static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw Refusal.notFound("token");
        }
    }
}
