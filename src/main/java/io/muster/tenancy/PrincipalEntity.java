package io.muster.tenancy;

import io.muster.model.TeamId;
import io.muster.model.UserId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "principal")
class PrincipalEntity {
    @Id
    UUID id;

    @Column
    String kind;

    @Column
    String username;

    @Column(name = "display_name")
    String displayName;

    @Column(name = "platform_admin")
    boolean platformAdmin;

    @Column(name = "team_id")
    @Nullable UUID teamId;

    @Column(name = "disabled_at")
    @Nullable Instant disabledAt;

    @Version
    long version = 1;

    protected PrincipalEntity() {}

    PrincipalEntity(UUID id, String username, String displayName, @Nullable UUID serviceOf) {
        this.id = id;
        this.kind = serviceOf == null ? "USER" : "SERVICE_ACCOUNT";
        this.username = username;
        this.displayName = displayName;
        this.teamId = serviceOf;
    }

    Person person() {
        return new Person(
                new UserId(id),
                username,
                displayName,
                platformAdmin,
                disabledAt != null,
                teamId == null ? null : new TeamId(teamId));
    }
}
