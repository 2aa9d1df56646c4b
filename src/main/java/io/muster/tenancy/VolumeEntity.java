package io.muster.tenancy;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "team_volume")
class VolumeEntity {
    @Embeddable
    record Key(
            @Column(name = "team_id") UUID teamId, @Column String name) implements Serializable {}

    @EmbeddedId
    Key key;

    @Column
    String claim;

    @Column(name = "sub_path")
    @Nullable String subPath;

    @Column(name = "read_only")
    boolean readOnly;

    @Version
    long version = 1;

    protected VolumeEntity() {}

    VolumeEntity(Key key, String claim) {
        this.key = key;
        this.claim = claim;
    }
}
