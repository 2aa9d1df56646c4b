package io.muster.kubernetes;

import static io.muster.kubernetes.support.KwokNode.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.Mount;
import io.muster.gateway.CheckpointSignal;
import io.muster.gateway.CommandOutcome;
import io.muster.gateway.ReplicaPhase;
import io.muster.gateway.ToldFacts;
import io.muster.kubernetes.support.RealCluster;
import io.muster.model.FailureClass;
import io.muster.model.PodProfile;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an attempt is made of, as the API server keeps it, and what happens when something is in the way. */
class StartingTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final CommandOutcome DONE = new CommandOutcome.Done();

    @RegisterExtension
    static final RealCluster cluster = new RealCluster();

    private static final ToldFacts told = new ToldFacts();
    private static KubernetesClient client;
    private static KubernetesCluster adapter;

    private final TeamId team = Attempts.someTeam();
    private final String namespace = Marks.namespace(team);

    @BeforeAll
    static void connect() {
        Adapters.install(cluster.admin());
        cluster.add(
                node("start-1").gpus(8).taint("nvidia.com/gpu", "NoSchedule"),
                node("start-2").gpus(8).taint("nvidia.com/gpu", "NoSchedule"));
        client = Connection.open(cluster.configOf("muster", "muster"), Adapters.settings());
        adapter = Adapters.start(client, Adapters.settings(), told);
    }

    @AfterAll
    static void disconnect() {
        adapter.stop();
        client.close();
    }

    @AfterEach
    void freeTheNodes() {
        var pods = cluster.admin().pods().inNamespace(namespace);
        pods.withGracePeriod(0).delete();
        await().atMost(PATIENCE).until(() -> pods.list().getItems().isEmpty());
    }

    // ---- the objects

    @Test
    void aPodIsPinnedMarkedAndRestricted() {
        var spec = run(Attempts.of(team).on("start-1", 2).spec());
        var pod = pod(spec, 0);

        var term = pod.getSpec()
                .getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()
                .getFirst();
        assertThat(term.getMatchFields().getFirst().getKey()).isEqualTo("metadata.name");
        assertThat(term.getMatchFields().getFirst().getValues()).containsExactly("start-1");
        assertThat(pod.getSpec().getNodeName()).isEqualTo("start-1");
        assertThat(pod.getMetadata().getName()).isEqualTo("j" + spec.attempt().job() + "-a1-worker-0");
        assertThat(pod.getMetadata().getLabels())
                .containsEntry("app.kubernetes.io/managed-by", "muster")
                .containsEntry("app.kubernetes.io/part-of", "muster")
                .containsEntry("muster.io/installation", Adapters.MARKS.installation())
                .containsEntry("muster.io/team", team.toString())
                .doesNotContainValue("llama-finetune");
        assertThat(pod.getMetadata().getAnnotations())
                .containsEntry("muster.io/job-name", "llama-finetune")
                .containsEntry("muster.io/team-path", "research/vision");

        assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getSpec().getTerminationGracePeriodSeconds()).isEqualTo(120);
        assertThat(pod.getSpec().getPreemptionPolicy()).isEqualTo("Never");
        assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSpec().getSecurityContext().getSeccompProfile().getType())
                .isEqualTo("RuntimeDefault");
        var security = pod.getSpec().getContainers().getFirst().getSecurityContext();
        assertThat(security.getAllowPrivilegeEscalation()).isFalse();
        assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
        var resources = pod.getSpec().getContainers().getFirst().getResources();
        assertThat(resources.getRequests()).isEqualTo(resources.getLimits());
        assertThat(resources.getLimits().get("nvidia.com/gpu").getAmount()).isEqualTo("2");
    }

    @Test
    void aGangHasAHeadlessServiceThatOwnsItsPods() {
        var spec = run(Attempts.of(team).on("start-1", 4).on("start-2", 4).spec());
        var service = cluster.admin()
                .services()
                .inNamespace(namespace)
                .withName(spec.attempt().objectName())
                .get();

        assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
        assertThat(service.getSpec().getPublishNotReadyAddresses()).isTrue();
        for (int rank = 0; rank < 2; rank++) {
            assertThat(pod(spec, rank).getMetadata().getOwnerReferences())
                    .extracting(OwnerReference::getUid)
                    .containsExactly(service.getMetadata().getUid());
        }
        var master = spec.attempt().objectName() + "-worker-0." + spec.attempt().objectName() + "." + namespace
                + ".svc.cluster.local";
        assertThat(environment(pod(spec, 1)))
                .containsEntry("MASTER_ADDR", master)
                .containsEntry("WORLD_SIZE", "8")
                .containsEntry("NNODES", "2")
                .containsEntry("NODE_RANK", "1")
                .containsEntry("PET_NPROC_PER_NODE", "4")
                .doesNotContainKey("RANK");
        assertThat(pod(spec, 0).getSpec().getHostname() + "."
                        + pod(spec, 0).getSpec().getSubdomain())
                .isEqualTo(spec.attempt().objectName() + "-worker-0."
                        + spec.attempt().objectName());
        assertThat(file(spec, "hostfile"))
                .isEqualTo("""
                %1$s-worker-0.%1$s slots=4
                %1$s-worker-1.%1$s slots=4
                """.formatted(spec.attempt().objectName()));
    }

    @Test
    void theTokenIsAFileOfTheAttempt() {
        var spec = run(Attempts.of(team).on("start-1", 1).spec());
        assertThat(file(spec, "token")).isEqualTo("a-token");
        assertThat(environment(pod(spec, 0)))
                .containsEntry("MUSTER_TOKEN_FILE", "/var/run/muster/token")
                .containsEntry("MUSTER_RESUME_FROM", "/vision/ckpt/step-100")
                .containsEntry("MUSTER_CHECKPOINT_DIR", "/vision/ckpt")
                .doesNotContainValue("a-token");
        assertThat(secret(spec).getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid)
                .containsExactly(pod(spec, 0).getMetadata().getUid());
    }

    @Test
    void everythingOfAnAttemptGoesWithIt() {
        var gang = run(Attempts.of(team).on("start-1", 1).on("start-2", 1).spec());
        var single = run(Attempts.of(team).on("start-1", 1).spec());
        for (var spec : List.of(gang, single)) {
            assertThat(adapter.gateway().stop(spec.attempt(), Duration.ofSeconds(2)))
                    .isEqualTo(DONE);
            await().atMost(PATIENCE).until(() -> secret(spec) == null);
            await().atMost(PATIENCE).until(() -> serviceOf(spec) == null);
            await().atMost(PATIENCE).until(() -> pod(spec, 0) == null);
        }
    }

    @Test
    void volumesScratchAndSharedMemoryAreMounted() {
        var spec = run(Attempts.of(team)
                .mounts(new Mount.Scratch(5L << 30, "/scratch"))
                .on("start-1", 1)
                .spec());
        var volumes = pod(spec, 0).getSpec().getVolumes();
        assertThat(volumes).anySatisfy(volume -> {
            assertThat(volume.getEmptyDir()).isNotNull();
            assertThat(volume.getEmptyDir().getMedium()).isEqualTo("Memory");
            assertThat(volume.getEmptyDir().getSizeLimit().getNumericalAmount().longValue())
                    .isEqualTo(64L << 20);
        });
        assertThat(pod(spec, 0).getSpec().getContainers().getFirst().getVolumeMounts())
                .anySatisfy(mount -> assertThat(mount.getMountPath()).isEqualTo("/dev/shm"))
                .anySatisfy(mount -> assertThat(mount.getMountPath()).isEqualTo("/scratch"));
    }

    @Test
    void oneClaimAtTwoPlacesIsOneVolume() {
        var spec = Attempts.of(team)
                .mounts(
                        new Mount.Claim("imagenet", null, "/data", true),
                        new Mount.Claim("imagenet", "sub", "/more", false))
                .on("start-1", 1)
                .spec();
        assertThat(adapter.gateway().start(spec))
                .isInstanceOfSatisfying(
                        CommandOutcome.Refused.class,
                        refused -> assertThat(refused.why()).contains("no volume claim imagenet"));
        cluster.admin()
                .resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("imagenet")
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadOnlyMany")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .build())
                .create();

        assertThat(adapter.gateway().start(spec)).isEqualTo(DONE);
        var pod = pod(spec, 0);
        assertThat(pod.getSpec().getVolumes())
                .filteredOn(volume -> volume.getPersistentVolumeClaim() != null)
                .hasSize(1);
        assertThat(pod.getSpec().getContainers().getFirst().getVolumeMounts())
                .filteredOn(mount -> mount.getName().startsWith("claim"))
                .extracting(mount -> mount.getMountPath() + " " + mount.getSubPath() + " " + mount.getReadOnly())
                .containsExactly("/data null true", "/more sub null");
    }

    @Test
    void whatTheUserWroteIsTakenLiterally() {
        var spec = run(Attempts.of(team)
                .env("WHERE", "$(HOME)/run")
                .command("sh", "-c", "echo $(NODE_RANK) $(date)")
                .on("start-1", 1)
                .spec());
        var container = pod(spec, 0).getSpec().getContainers().getFirst();
        assertThat(container.getCommand()).containsExactly("sh", "-c", "echo $$(NODE_RANK) $$(date)");
        assertThat(environment(pod(spec, 0))).containsEntry("WHERE", "$$(HOME)/run");
    }

    @Test
    void aReplicaWithoutGpusSeesNone() {
        var spec = run(
                Attempts.of(team).on("start-1", new Resources(0, 500, 1L << 28)).spec());
        assertThat(environment(pod(spec, 0)))
                .containsEntry("NVIDIA_VISIBLE_DEVICES", "void")
                .containsEntry("WORLD_SIZE", "1")
                .containsEntry("RANK", "0");
        assertThat(pod(spec, 0)
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getResources()
                        .getLimits())
                .doesNotContainKey("nvidia.com/gpu");
    }

    @Test
    void aSignalIsAnAnnotationThatThePodSeesAsAFile() {
        var spec = run(Attempts.of(team).on("start-1", 1).on("start-2", 1).spec());
        var signal = new CheckpointSignal(UUID.randomUUID(), true, Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(adapter.gateway().signal(spec.attempt(), signal)).isEqualTo(DONE);
        for (int rank = 0; rank < 2; rank++) {
            assertThat(pod(spec, rank).getMetadata().getAnnotations().get("muster.io/signal"))
                    .isEqualTo("{\"id\":\"" + signal.id()
                            + "\",\"thenStop\":true,\"deadline\":\"2026-01-02T03:04:05Z\"}\n");
        }
        assertThat(pod(spec, 0).getSpec().getVolumes().getFirst().getProjected().getSources())
                .filteredOn(source -> source.getDownwardAPI() != null)
                .extracting(source -> source.getDownwardAPI()
                        .getItems()
                        .getFirst()
                        .getFieldRef()
                        .getFieldPath())
                .containsExactly("metadata.annotations['muster.io/signal']");
    }

    // ---- the namespace

    @Test
    void aTeamsNamespaceIsFencedIn() {
        run(Attempts.of(team).on("start-1", 1).spec());
        var made = cluster.admin().namespaces().withName(namespace).get();
        assertThat(made.getMetadata().getLabels())
                .containsEntry("pod-security.kubernetes.io/enforce", "restricted")
                .containsEntry("muster.io/team", team.toString());
        var policies = cluster.admin().network().networkPolicies().inNamespace(namespace);
        var deny = policies.withName("muster-default-deny").get().getSpec();
        assertThat(deny.getPodSelector().getMatchLabels()).isEmpty();
        assertThat(deny.getIngress()).isEmpty();
        assertThat(deny.getEgress()).isEmpty();
        assertThat(deny.getPolicyTypes()).containsExactlyInAnyOrder("Ingress", "Egress");
        assertThat(policies.withName("muster-jobs")
                        .get()
                        .getSpec()
                        .getEgress()
                        .getFirst()
                        .getTo())
                .filteredOn(peer -> peer.getIpBlock() != null)
                .extracting(peer -> peer.getIpBlock().getCidr() + " but "
                        + peer.getIpBlock().getExcept())
                .satisfiesExactly(
                        v4 -> assertThat(v4).startsWith("0.0.0.0/0 but [169.254.0.0/16"),
                        v6 -> assertThat(v6).isEqualTo("::/0 but [fe80::/10, fd00:ec2::254/128]"));
        assertThat(cluster.admin()
                        .resourceQuotas()
                        .inNamespace(namespace)
                        .withName("muster-backstop")
                        .get())
                .isNotNull();
    }

    @Test
    void aPoolThatNeedsMoreRaisesTheNamespaceButNothingLowersIt() {
        run(Attempts.of(team).on("start-1", 1).spec());
        run(Attempts.of(team).profile(infiniband()).on("start-1", 1).spec());
        assertThat(level()).isEqualTo("privileged");
        run(Attempts.of(team).on("start-1", 1).spec());
        assertThat(level()).isEqualTo("privileged");
    }

    @Test
    void aNamespaceOfSomebodyElseIsLeftAlone() {
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        assertThat(adapter.gateway().start(Attempts.of(team).on("start-1", 1).spec()))
                .isInstanceOf(CommandOutcome.Refused.class);
        assertThat(cluster.admin()
                        .namespaces()
                        .withName(namespace)
                        .get()
                        .getMetadata()
                        .getLabels())
                .doesNotContainKey("muster.io/installation");
        assertThat(cluster.admin().pods().inNamespace(namespace).list().getItems())
                .isEmpty();
    }

    // ---- what is in the way

    @Test
    void whatAnEarlierTryMadeIsAdopted() {
        var spec = Attempts.of(team).on("start-1", 1).on("start-2", 1).spec();
        run(spec);
        var uid = pod(spec, 0).getMetadata().getUid();
        cluster.admin().resource(pod(spec, 1)).withGracePeriod(0).delete();
        await().atMost(PATIENCE).until(() -> pod(spec, 1) == null);

        assertThat(adapter.gateway().start(spec)).isEqualTo(DONE);
        assertThat(pod(spec, 0).getMetadata().getUid()).isEqualTo(uid);
        assertThat(pod(spec, 1)).isNotNull();
    }

    @Test
    void aStrangersObjectOfTheSameNameIsRefusedAndKept() {
        var spec = Attempts.of(team).on("start-1", 1).on("start-2", 1).spec();
        Adapters.namespace(cluster.admin(), team);
        var strangers = cluster.admin()
                .resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(spec.attempt().objectName())
                        .endMetadata()
                        .withNewSpec()
                        .withClusterIP("None")
                        .endSpec()
                        .build())
                .create();
        assertThat(adapter.gateway().start(spec)).isInstanceOf(CommandOutcome.Refused.class);
        adapter.gateway().stop(spec.attempt(), Duration.ofSeconds(1));
        assertThat(serviceOf(spec))
                .extracting(service -> service.getMetadata().getUid())
                .isEqualTo(strangers.getMetadata().getUid());
    }

    @Test
    void whatTheApiServerRejectsIsRefusedWithItsWords() {
        var spec = Attempts.of(team)
                .mounts(new Mount.Scratch(1 << 20, "/dev/shm"))
                .on("start-1", 1)
                .spec();
        var outcome = adapter.gateway().start(spec);
        assertThat(outcome).isInstanceOfSatisfying(CommandOutcome.Refused.class, refused -> {
            assertThat(refused.failure()).isEqualTo(FailureClass.ADMISSION);
            assertThat(refused.why()).contains("mountPath", "must be unique");
        });
    }

    @Test
    void aPodThatItsNodeCannotTakeIsGivenUpAfterTheBindTimeout() {
        var spec = Attempts.of(team).on("start-1", 9).spec();
        assertThat(adapter.gateway().start(spec)).isEqualTo(DONE);
        var replica = spec.replicas().getFirst().id();
        await().atMost(PATIENCE)
                .until(() -> told.replica(replica)
                        .map(seen -> seen.failure() == FailureClass.ADMISSION)
                        .orElse(false));
        var seen = told.replica(replica).orElseThrow();
        assertThat(seen.phase()).isEqualTo(ReplicaPhase.PENDING);
        assertThat(seen.reason()).isEqualTo("Unschedulable");
        assertThat(seen.message()).contains("Insufficient nvidia.com/gpu");
    }

    @Test
    void withoutItsPriorityClassTheClusterIsNotSetUpAndNothingIsRefused() {
        var settings = Adapters.settings();
        var other = new KubernetesProperties(
                null,
                null,
                settings.installation(),
                "no-such-class",
                settings.clusterDomain(),
                settings.gpuResources(),
                List.of(),
                settings.relist(),
                settings.silence(),
                settings.bindTimeout(),
                settings.clockSkew(),
                settings.requestTimeout(),
                settings.orphanAge(),
                1);
        var gateway = new KubernetesCluster(
                        client, Adapters.MARKS, other, java.time.Clock.systemUTC(), () -> true, () -> told)
                .gateway();
        assertThat(gateway.start(Attempts.of(team).on("start-1", 1).spec()))
                .isInstanceOfSatisfying(
                        CommandOutcome.Later.class,
                        later -> assertThat(later.why()).contains("deploy/kubernetes"));
    }

    @Test
    void aServiceThatLeadsToNoPodsIsRemovedAndOthersAreLeftAlone() {
        var running = run(Attempts.of(team).on("start-1", 1).on("start-2", 1).spec());
        var orphan = Attempts.of(team).on("start-1", 1).on("start-2", 1).spec();
        var strangers = Attempts.of(team).on("start-1", 1).on("start-2", 1).spec();
        var services = cluster.admin().services().inNamespace(namespace);
        cluster.admin().resource(GangService.service(orphan, Adapters.MARKS)).create();
        cluster.admin()
                .resource(GangService.service(strangers, new Marks("another")))
                .create();

        await().atMost(PATIENCE)
                .until(() -> services.withName(orphan.attempt().objectName()).get() == null);
        assertThat(services.withName(running.attempt().objectName()).get()).isNotNull();
        assertThat(services.withName(strangers.attempt().objectName()).get())
                .as("of another installation")
                .isNotNull();
        assertThat(adapter.gateway().start(orphan)).as("started after all").isEqualTo(new CommandOutcome.Done());
        services.withName(strangers.attempt().objectName()).delete();
    }

    // ---- the server's rights

    @Test
    void theServerMayNotWriteOutsideItsNamespacesNorReadSecrets() {
        var pods = new PodFactory(Adapters.MARKS, Adapters.settings());
        var spec = Attempts.of(team).on("start-1", 1).spec();
        var pod = pods.pod(spec, 0, null);
        pod.getMetadata().setNamespace("default");
        assertForbidden(() -> client.resource(pod).create());
        assertForbidden(
                () -> client.secrets().inNamespace("default").withName("any").get());
        assertForbidden(() -> client.namespaces().list());
        assertForbidden(() -> client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("elsewhere")
                        .endMetadata()
                        .build())
                .create());
    }

    private static void assertForbidden(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isIn(403, 422));
    }

    // ---- helpers

    private static PodProfile infiniband() {
        var shipped = PodProfile.SHIPPED;
        return new PodProfile(
                shipped.tolerations(),
                Map.of(),
                null,
                List.of("IPC_LOCK"),
                "privileged",
                1000L,
                1000L,
                Map.of("NCCL_DEBUG", "WARN"),
                "IfNotPresent");
    }

    private static AttemptSpec run(AttemptSpec spec) {
        assertThat(adapter.gateway().start(spec)).isEqualTo(DONE);
        spec.replicas().forEach(replica -> told.awaitPhase(replica.id(), ReplicaPhase.RUNNING, PATIENCE));
        return spec;
    }

    private String level() {
        return cluster.admin()
                .namespaces()
                .withName(namespace)
                .get()
                .getMetadata()
                .getLabels()
                .get("pod-security.kubernetes.io/enforce");
    }

    private Pod pod(AttemptSpec spec, int rank) {
        return cluster.admin()
                .pods()
                .inNamespace(namespace)
                .withName(spec.replicas().get(rank).id().podName())
                .get();
    }

    private HasMetadata serviceOf(AttemptSpec spec) {
        return cluster.admin()
                .services()
                .inNamespace(namespace)
                .withName(spec.attempt().objectName())
                .get();
    }

    private io.fabric8.kubernetes.api.model.Secret secret(AttemptSpec spec) {
        return cluster.admin()
                .secrets()
                .inNamespace(namespace)
                .withName(spec.attempt().objectName())
                .get();
    }

    private String file(AttemptSpec spec, String name) {
        return new String(Base64.getDecoder().decode(secret(spec).getData().get(name)), StandardCharsets.UTF_8);
    }

    private static Map<String, String> environment(Pod pod) {
        return pod.getSpec().getContainers().getFirst().getEnv().stream()
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }
}
