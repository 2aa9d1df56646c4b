package io.muster.tenancy;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.util.UUID;

@Entity
@Table(name = "membership")
class MembershipEntity {
    @Embeddable
    record Key(
            @Column(name = "team_id") UUID teamId,
            @Column(name = "principal_id") UUID principalId) implements Serializable {}

    @EmbeddedId
    Key key;

    @Column
    String role;

    @Column
    String source = "LOCAL";

    @Version
    long version = 1;

    protected MembershipEntity() {}

    MembershipEntity(Key key, String role) {
        this.key = key;
        this.role = role;
    }
}
