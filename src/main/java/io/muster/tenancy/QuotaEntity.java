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
@Table(name = "quota")
class QuotaEntity {
    @Embeddable
    record Key(
            @Column(name = "team_id") UUID teamId, @Column String pool) implements Serializable {}

    @EmbeddedId
    Key key;

    @Column
    int guaranteed;

    @Column(name = "gpu_limit")
    @Nullable Integer limit;

    @Column
    @Nullable Integer lendable;

    @Column
    int weight;

    @Column
    String shapes = ShapesText.NONE;

    @Version
    long version = 1;

    protected QuotaEntity() {}

    QuotaEntity(Key key) {
        this.key = key;
    }

    void set(TeamQuota quota) {
        guaranteed = quota.guaranteed();
        limit = quota.limit();
        lendable = quota.lendable();
        weight = quota.weight();
        shapes = ShapesText.of(quota.shapes());
    }
}
