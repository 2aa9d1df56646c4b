package io.muster.tenancy;

import io.muster.model.TeamId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "team")
class TeamEntity {
    @Id
    UUID id;

    @Column(name = "parent_id")
    @Nullable UUID parentId;

    @Column
    String name;

    @Column
    String path;

    @Column(name = "display_name")
    String displayName;

    @Column(name = "archived_at")
    @Nullable Instant archivedAt;

    @Version
    long version = 1;

    protected TeamEntity() {}

    TeamEntity(UUID id, @Nullable UUID parentId, String name, String path, String displayName) {
        this.id = id;
        this.parentId = parentId;
        this.name = name;
        this.path = path;
        this.displayName = displayName;
    }

    TeamId teamId() {
        return new TeamId(id);
    }
}
