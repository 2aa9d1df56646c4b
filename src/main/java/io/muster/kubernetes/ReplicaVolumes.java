package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.Mount;
import io.muster.gateway.AttemptSpec.ReplicaSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Volumes of a pod and where its container sees them. */
final class ReplicaVolumes {

    private final List<Volume> volumes = new ArrayList<>();
    private final List<VolumeMount> mounts = new ArrayList<>();
    private final Map<String, String> claims = new LinkedHashMap<>();

    ReplicaVolumes(AttemptSpec attempt, ReplicaSpec replica) {
        add(
                ReplicaFiles.volume(attempt, "muster"),
                mount("muster", ReplicaFiles.FOLDER).withReadOnly(true).build());
        if (replica.sharedMemoryBytes() > 0) {
            add(
                    emptyFolder("shm", "Memory", replica.sharedMemoryBytes()),
                    mount("shm", "/dev/shm").build());
        }
        for (var mount : replica.mounts()) {
            switch (mount) {
                case Mount.Claim claim -> addClaim(claim);
                case Mount.Scratch scratch -> addScratch(scratch);
            }
        }
    }

    List<Volume> volumes() {
        return volumes;
    }

    List<VolumeMount> mounts() {
        return mounts;
    }

    private void addScratch(Mount.Scratch scratch) {
        var name = "scratch-" + volumes.size();
        add(emptyFolder(name, null, scratch.bytes()), mount(name, scratch.at()).build());
    }

    /** A claim that is mounted at several places is still one volume. */
    private void addClaim(Mount.Claim claim) {
        var name = claims.computeIfAbsent(claim.claim(), this::volumeOf);
        mounts.add(mount(name, claim.at())
                .withSubPath(claim.subPath())
                .withReadOnly(claim.readOnly())
                .build());
    }

    private String volumeOf(String claim) {
        var name = "claim-" + volumes.size();
        volumes.add(new VolumeBuilder()
                .withName(name)
                .withNewPersistentVolumeClaim()
                .withClaimName(claim)
                .endPersistentVolumeClaim()
                .build());
        return name;
    }

    private void add(Volume volume, VolumeMount mount) {
        volumes.add(volume);
        mounts.add(mount);
    }

    private static Volume emptyFolder(String name, @Nullable String medium, long bytes) {
        return new VolumeBuilder()
                .withName(name)
                .withNewEmptyDir()
                .withMedium(medium)
                .withSizeLimit(new Quantity(Long.toString(bytes)))
                .endEmptyDir()
                .build();
    }

    private static VolumeMountBuilder mount(String volume, String at) {
        return new VolumeMountBuilder().withName(volume).withMountPath(at);
    }
}
