package io.muster.job.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.muster.job.DocumentFault;
import io.muster.job.DocumentText;
import io.muster.job.DocumentText.Format;
import io.muster.model.CheckpointWay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentReaderTest {
    /** What is not bounded takes hours; a busy machine takes seconds. */
    private static final Duration BOUNDED = Duration.ofSeconds(20);

    static final String FULL = """
            name: llama-finetune
            team: research/vision
            priority: normal
            image: images.example/train:1.4
            command: [torchrun, train.py]
            workdir: /app
            env: {LR: "3e-4"}
            replicas: 4
            resources: {gpus: 8, cpus: 64, memory: 512Gi, sharedMemory: 64Gi}
            gpu: {types: [H100-SXM, A100-80GB]}
            pool: h100
            topology: {require: block, prefer: rack, patience: 10m}
            walltime: 12h
            preemptible: true
            checkpoint: {by: sigterm, grace: 2m, every: 30m, path: /vision/ckpt}
            retry: {onFailure: 1}
            data: [{volume: imagenet, at: /data, readOnly: true}, {volume: vision-work, at: /vision}, {scratch: 500Gi, at: /scratch}]
            labels: {project: clip}
            """;

    private static final String BASE = "name: x\nteam: t\nimage: busybox\nresources: {gpus: 1}\n";

    @Test
    void theDocumentOfTheManualIsRead() {
        Draft draft = valid(yaml(FULL));
        assertThat(draft.name()).isEqualTo("llama-finetune");
        Draft.Group group = draft.groups().getFirst();
        assertThat(group.replicas()).isEqualTo(4);
        assertThat(group.gpus()).isEqualTo(8);
        assertThat(group.cpuMillis()).isEqualTo(64_000);
        assertThat(group.memoryBytes()).isEqualTo(512L << 30);
        assertThat(group.sharedMemoryBytes()).isEqualTo(64L << 30);
        assertThat(group.command()).containsExactly("torchrun", "train.py");
        assertThat(group.env()).isEqualTo(Map.of("LR", "3e-4"));
        assertThat(draft.gpuTypes()).containsExactly("H100-SXM", "A100-80GB");
        assertThat(draft.patience()).isEqualTo(Duration.ofMinutes(10));
        assertThat(draft.walltime()).isEqualTo(Duration.ofHours(12));
        assertThat(draft.by()).isEqualTo(CheckpointWay.SIGTERM);
        assertThat(draft.every()).isEqualTo(Duration.ofMinutes(30));
        assertThat(draft.userRetries()).isEqualTo(1);
        assertThat(draft.data()).hasSize(3);
        assertThat(draft.data().get(2).scratchBytes()).isEqualTo(500L << 30);
    }

    @Test
    void jsonAndYamlGiveTheSame() {
        DocumentReader.Parsed parsed = DocumentReader.parse(yaml(FULL));
        assertThat(parsed).isInstanceOf(DocumentReader.Parsed.Tree.class);
        String json = Trees.toJson(((DocumentReader.Parsed.Tree) parsed).root()).toString();
        assertThat(valid(json(json))).isEqualTo(valid(yaml(FULL)));
    }

    @Test
    void aStringCommandIsRunByAShell() {
        assertThat(valid(yaml(BASE + "command: echo hi && sleep 1\n"))
                        .groups()
                        .getFirst()
                        .command())
                .containsExactly("/bin/sh", "-c", "echo hi && sleep 1");
    }

    @Test
    void groupsTakeWhatTheyDoNotSayFromTheTop() {
        Draft draft = valid(yaml("""
                name: x
                team: t
                image: busybox
                env: {A: "1", B: "2"}
                resources: {gpus: 1, cpus: 500m}
                groups:
                - {name: worker, replicas: 3, resources: {gpus: 8}, env: {B: "3"}}
                - {name: server, image: other, command: [serve]}
                """));
        assertThat(draft.groups()).extracting(Draft.Group::replicas).containsExactly(3, 1);
        assertThat(draft.groups()).extracting(Draft.Group::gpus).containsExactly(8, 1);
        assertThat(draft.groups()).extracting(Draft.Group::cpuMillis).containsExactly(500L, 500L);
        assertThat(draft.groups().get(0).env()).isEqualTo(Map.of("A", "1", "B", "3"));
        assertThat(draft.groups().get(1).image()).isEqualTo("other");
    }

    @Test
    void aliasesAreFineInMeasure() {
        Draft draft = valid(yaml("""
                name: x
                team: t
                image: busybox
                groups:
                - {name: a, resources: &r {gpus: 2}}
                - {name: b, resources: *r}
                """));
        assertThat(draft.groups()).extracting(Draft.Group::gpus).containsExactly(2, 2);
    }

    @Test
    void slicesStandInTopologyOrInEachGroup() {
        Draft plain = valid(yaml("""
                name: x
                team: t
                image: busybox
                resources: {gpus: 2}
                replicas: 16
                topology: {slices: {size: 8, level: nvlink}}
                """));
        assertThat(plain.groups().getFirst().slices()).isEqualTo(new Draft.Slicing("topology.slices", 8, "nvlink"));
        Draft grouped = valid(yaml("""
                name: x
                team: t
                image: busybox
                resources: {gpus: 2}
                groups:
                - {name: a}
                - {name: b, replicas: 4, slices: {size: 2, level: rack}}
                """));
        assertThat(grouped.groups())
                .extracting(Draft.Group::slices)
                .containsExactly(null, new Draft.Slicing("groups[1].slices", 2, "rack"));
    }

    static Stream<Arguments> badYaml() {
        return Stream.of(
                bad("gpuz: 1\n", "gpuz", "unknown-field"),
                bad("Replicas: 1\n", "Replicas", "unknown-field"),
                bad("topology: {requires: rack}\n", "topology.requires", "unknown-field"),
                bad("replicas: four\n", "replicas", "wrong-type"),
                bad("replicas: \"4\"\n", "replicas", "wrong-type"),
                bad("replicas: 4.0\n", "replicas", "wrong-type"),
                bad("replicas: 1e2\n", "replicas", "wrong-type"),
                bad("replicas: 0x10\n", "replicas", "wrong-type"),
                bad("replicas: .inf\n", "replicas", "wrong-type"),
                bad("replicas: [1]\n", "replicas", "wrong-type"),
                bad("replicas: 0\n", "replicas", "out-of-range"),
                bad("replicas: -4\n", "replicas", "out-of-range"),
                bad("replicas: 10000\n", "replicas", "out-of-range"),
                bad("replicas: 99999999999999999999\n", "replicas", "out-of-range"),
                bad("preemptible: yes\n", "preemptible", "wrong-type"),
                bad("walltime: 12\n", "walltime", "wrong-type"),
                bad("walltime: 12 hours\n", "walltime", "not-a-duration"),
                bad("walltime: 0s\n", "walltime", "out-of-range"),
                bad("walltime: 400d\n", "walltime", "out-of-range"),
                bad("walltime: -1h\n", "walltime", "not-a-duration"),
                bad("env: {MUSTER_JOB: a}\n", "env.MUSTER_JOB", "invalid-name"),
                bad("env: {nvidia_visible_devices: a}\n", "env.nvidia_visible_devices", "invalid-name"),
                bad("env: {1A: a}\n", "env.1A", "invalid-name"),
                bad("env: {A: 1}\n", "env.A", "wrong-type"),
                bad("env: {A: \"\\0\"}\n", "env.A", "invalid-value"),
                bad("env: [A]\n", "env", "wrong-type"),
                bad("env: {A: " + "x".repeat(66_000) + "}\n", "env", "too-large"),
                bad("command: \"a\\u202Eb\"\n", "command", "invalid-value"),
                bad("workdir: app\n", "workdir", "invalid-value"),
                bad("workdir: /app/../etc\n", "workdir", "invalid-value"),
                bad("gpu: {types: [A], memory: 80GB}\n", "gpu", "either-or"),
                bad("gpu: {types: []}\n", "gpu.types", "empty"),
                bad("gpu: {types: [A, A]}\n", "gpu.types", "duplicate"),
                bad("gpu: {memory: lots}\n", "gpu.memory", "invalid-value"),
                bad("checkpoint: {by: magic}\n", "checkpoint.by", "invalid-value"),
                bad("checkpoint: {by: api}\n", "checkpoint.path", "required"),
                bad("checkpoint: {every: 1h}\n", "checkpoint.every", "needs"),
                bad("topology: {patience: 1h}\n", "topology.patience", "needs"),
                bad("topology: {slices: {size: 8}}\n", "topology.slices.level", "required"),
                bad("topology: {slices: {level: rack}}\n", "topology.slices.size", "required"),
                bad("topology: {slices: {size: 1, level: rack}}\n", "topology.slices.size", "out-of-range"),
                bad(
                        "replicas: 8\ntopology: {slices: {size: 8, level: rack, of: 2}}\n",
                        "topology.slices.of",
                        "unknown-field"),
                bad("topology: {slices: 8}\n", "topology.slices", "wrong-type"),
                bad(
                        "replicas: 12\ntopology: {slices: {size: 8, level: rack}}\n",
                        "topology.slices.size",
                        "not-a-divisor"),
                bad("slices: {size: 8, level: rack}\n", "slices", "unknown-field"),
                bad("retry: {onFailure: -1}\n", "retry.onFailure", "out-of-range"),
                bad("data: [{at: /x}]\n", "data[0].volume", "either-or"),
                bad("data: [{volume: a, scratch: 1Gi, at: /x}]\n", "data[0].volume", "either-or"),
                bad("data: [{volume: a}]\n", "data[0].at", "required"),
                bad("data: [{volume: a, at: /proc/x}]\n", "data[0].at", "invalid-value"),
                bad("data: [{volume: a, at: /x}, {volume: b, at: /x}]\n", "data[1].at", "duplicate"),
                bad("data: [{volume: a, at: /x, hostPath: /}]\n", "data[0].hostPath", "unknown-field"),
                bad("data: [{fetch: \"s3://b/x\", at: /in}]\n", "data[0].fetch", "not-supported-yet"),
                bad("data: [3]\n", "data[0]", "wrong-type"),
                bad("labels: {\"a b\": c}\n", "labels.a b", "invalid-name"),
                bad("elastic: {min: 2}\n", "elastic.min", "out-of-range"),
                bad("replicas: 4\nelastic: {min: 5}\n", "elastic.min", "out-of-range"),
                bad("replicas: 4\nelastic: {min: 0}\n", "elastic.min", "out-of-range"),
                bad("replicas: 4\nelastic: {min: two}\n", "elastic.min", "wrong-type"),
                bad("replicas: 4\nelastic: {}\n", "elastic.min", "required"),
                bad("replicas: 4\nelastic: 2\n", "elastic", "wrong-type"),
                bad("replicas: 4\nelastic: {min: 2, max: 9}\n", "elastic.max", "unknown-field"),
                bad(
                        "replicas: 4\nelastic: {min: 2}\ntopology: {slices: {size: 2, level: rack}}\n",
                        "elastic",
                        "either-or"),
                bad("elastic: {min: 1}\ngroups: [{name: a, replicas: 2}]\n", "elastic", "either-or"),
                bad("groups: [{name: a, replicas: 2, elastic: {min: 3}}]\n", "groups[0].elastic.min", "out-of-range"),
                bad("secrets: [a]\n", "secrets", "not-supported-yet"),
                bad("imagePullSecret: a\n", "imagePullSecret", "not-supported-yet"),
                bad("code: {bundle: a}\n", "code", "not-supported-yet"),
                bad("after: [1]\n", "after", "not-supported-yet"),
                bad("notBefore: x\n", "notBefore", "not-supported-yet"),
                bad("array: 3\n", "array", "not-supported-yet"),
                bad("kind: session\n", "kind", "not-supported-yet"),
                bad("ports: [80]\n", "ports", "not-supported-yet"),
                bad("idle: 1h\n", "idle", "not-supported-yet"),
                bad("notify: me\n", "notify", "not-supported-yet"),
                bad("excludeNodes: [n]\n", "excludeNodes", "not-supported-yet"));
    }

    @ParameterizedTest
    @MethodSource("badYaml")
    void aBadFieldIsNamedWithItsPlace(String addition, String field, String code) {
        assertThat(DocumentReader.faults(yaml(BASE + addition))).singleElement().satisfies(fault -> {
            assertThat(fault.field()).isEqualTo(field);
            assertThat(fault.code()).isEqualTo(code);
            assertThat(fault.message()).isNotBlank().hasSizeLessThan(300);
        });
    }

    static Stream<Arguments> badGpus() {
        return Stream.of(
                Arguments.of("-1", "out-of-range"),
                Arguments.of("1000000000", "out-of-range"),
                Arguments.of("1025", "out-of-range"),
                Arguments.of("9223372036854775808", "out-of-range"),
                Arguments.of("1.5", "wrong-type"),
                Arguments.of("\"8\"", "wrong-type"),
                Arguments.of("true", "wrong-type"),
                Arguments.of("{}", "wrong-type"),
                Arguments.of("null", "required"));
    }

    @ParameterizedTest
    @MethodSource("badGpus")
    void badGpusAreRefusedByName(String gpus, String code) {
        String text = "{\"name\":\"x\",\"team\":\"t\",\"image\":\"i\",\"resources\":{\"gpus\":%s}}".formatted(gpus);
        assertThat(DocumentReader.faults(json(text))).singleElement().satisfies(fault -> {
            assertThat(fault.field()).isEqualTo("resources.gpus");
            assertThat(fault.code()).isEqualTo(code);
        });
    }

    static Stream<Arguments> badNames() {
        return Stream.of(
                        "",
                        "-a",
                        "a-",
                        "a_b",
                        "a b",
                        "x".repeat(64),
                        "a\\u0000b",
                        "a\\u202Eb",
                        "a\\uD800",
                        "\\u0061\\u0301",
                        "../x",
                        "<script>")
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void badNamesAreRefused(String name) {
        String text = "{\"name\":\"%s\",\"team\":\"t\",\"image\":\"i\",\"resources\":{\"gpus\":1}}".formatted(name);
        assertThat(DocumentReader.faults(json(text)))
                .extracting(DocumentFault::field)
                .containsExactly("name");
    }

    @Test
    void severalFaultsAreReportedAtOnceWithTheirLines() {
        List<DocumentFault> faults =
                DocumentReader.faults(yaml("name: x\nteam: t\nimagee: busybox\nresources:\n  gpus: -1\n  gpu: 2\n"));
        assertThat(faults)
                .extracting(DocumentFault::field, DocumentFault::line)
                .contains(
                        org.assertj.core.api.Assertions.tuple("imagee", 3),
                        org.assertj.core.api.Assertions.tuple("resources.gpus", 5),
                        org.assertj.core.api.Assertions.tuple("resources.gpu", 6));
        assertThat(faults).extracting(DocumentFault::field).contains("image");
    }

    @Test
    void aGroupsFieldIsNamedByItsWholePath() {
        assertThat(
                        DocumentReader.faults(
                                yaml(
                                        "name: x\nteam: t\nimage: i\ngroups:\n- {name: a, resources: {gpus: 1}}\n- {name: b, resources: {gpu: 1, gpus: 1}}\n")))
                .extracting(DocumentFault::field)
                .containsExactly("groups[1].resources.gpu");
    }

    @Test
    void replicasOfAllGroupsAreBounded() {
        assertThat(
                        DocumentReader.faults(
                                yaml(
                                        "name: x\nteam: t\nimage: i\nresources: {gpus: 1}\ngroups: [{name: a, replicas: 4000}, {name: b, replicas: 4000}]\n")))
                .extracting(DocumentFault::field)
                .containsExactly("groups");
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of(Format.YAML, "name: x\n  team: [\n", "syntax"),
                Arguments.of(Format.YAML, "name: 'x\n", "syntax"),
                Arguments.of(Format.YAML, "a: b: c\n", "syntax"),
                Arguments.of(Format.YAML, "\tname: x\n", "syntax"),
                Arguments.of(Format.YAML, "name: x\n---\nname: y\n", "syntax"),
                Arguments.of(Format.YAML, "name: x\nname: y\n", "duplicate-field"),
                Arguments.of(Format.YAML, "name: *nothing\n", "syntax"),
                Arguments.of(Format.YAML, "name: !!java.net.URL x\n", "tag"),
                Arguments.of(Format.YAML, "name: !foo x\n", "tag"),
                Arguments.of(Format.YAML, "? [a]\n: b\n", "not-a-name"),
                Arguments.of(Format.YAML, "a: &a [*a]\n", "syntax"),
                Arguments.of(Format.YAML, "name: \u0000x\n", "control-character"),
                Arguments.of(Format.YAML, "just text\n", "wrong-type"),
                Arguments.of(Format.YAML, "- a\n", "wrong-type"),
                Arguments.of(Format.YAML, "", "empty"),
                Arguments.of(Format.JSON, "", "empty"),
                Arguments.of(Format.JSON, "{\"name\": }", "syntax"),
                Arguments.of(Format.JSON, "{\"name\": \"x\"", "syntax"),
                Arguments.of(Format.JSON, "{\"name\":\"x\",\"name\":\"y\"}", "duplicate-field"),
                Arguments.of(Format.JSON, "{} {}", "syntax"),
                Arguments.of(Format.JSON, "[]", "wrong-type"),
                Arguments.of(Format.JSON, "{'a': 1}", "syntax"),
                Arguments.of(Format.JSON, "{\"a\": NaN}", "syntax"),
                Arguments.of(Format.JSON, "[".repeat(100_000), "too-deep"),
                Arguments.of(Format.JSON, "{\"a\":".repeat(40_000), "too-deep"),
                Arguments.of(Format.YAML, "[".repeat(100_000), "too-deep"),
                Arguments.of(Format.YAML, "- ".repeat(100_000), "too-deep"),
                Arguments.of(Format.YAML, "x".repeat(DocumentText.MOST_BYTES + 1), "too-large"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void brokenTextIsRefusedWithLineAndColumn(Format format, String text, String code) {
        List<DocumentFault> faults =
                assertTimeoutPreemptively(BOUNDED, () -> DocumentReader.faults(text(format, text)));
        assertThat(faults).singleElement().satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(code);
            if (!code.equals("too-large")) {
                assertThat(fault.line()).isPositive();
                assertThat(fault.column()).isPositive();
            }
        });
    }

    @Test
    void aBombOfAliasesIsRefusedQuickly() {
        String bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
                + IntStream.range(1, 12)
                        .mapToObj(i -> "a%d: &a%d [%s]\n"
                                .formatted(
                                        i,
                                        i,
                                        Stream.generate(() -> "*a" + (i - 1))
                                                .limit(10)
                                                .collect(Collectors.joining(","))))
                        .collect(Collectors.joining());
        List<DocumentFault> faults = assertTimeoutPreemptively(BOUNDED, () -> DocumentReader.faults(yaml(bomb)));
        assertThat(faults).extracting(DocumentFault::code).containsExactly("too-large");
    }

    @Test
    void aLongTextUsedOftenIsABombToo() {
        String bomb = "a: &a " + "x".repeat(100_000) + "\nb: [" + "*a,".repeat(1000) + "]\n";
        assertThat(DocumentReader.faults(yaml(bomb)))
                .extracting(DocumentFault::code)
                .containsExactly("too-large");
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        assertThat(DocumentReader.faults(new DocumentText(Format.JSON, new byte[] {'{', (byte) 0xC3, '}'})))
                .extracting(DocumentFault::code)
                .containsExactly("encoding");
    }

    /** Text that is cut, doubled, swapped and sprinkled with the characters that parsers trip over. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void garbageIsRefusedOrReadButNeverBreaksTheReader(long seed) {
        Random dice = new Random(seed);
        String[] spice = {
            "\0",
            "\u202E",
            "&a ",
            "*a",
            "!!",
            "{",
            "}",
            "[",
            "]",
            ": ",
            "- ",
            "\n",
            "\t",
            "\"",
            "'",
            "|",
            ">",
            "%",
            "#",
            "---\n",
            "? ",
            "<<: ",
            "1e999999999",
            "-0",
            "0x",
            ".inf",
            "null",
            "~",
            "\\u12",
            "\r",
            "\u2028",
            ","
        };
        String json = Trees.toJson(tree(yaml(FULL))).toString();
        for (int i = 0; i < 300; i++) {
            boolean asJson = dice.nextBoolean();
            StringBuilder text = new StringBuilder(asJson ? json : FULL);
            for (int n = 1 + dice.nextInt(6); n > 0; n--) {
                int at = dice.nextInt(text.length());
                int to = Math.min(text.length(), at + dice.nextInt(30));
                switch (dice.nextInt(4)) {
                    case 0 -> text.delete(at, to);
                    case 1 -> text.insert(at, text.substring(at, to));
                    case 2 -> text.insert(at, spice[dice.nextInt(spice.length)].repeat(1 + dice.nextInt(3)));
                    default -> text.insert(dice.nextInt(text.length()), text.substring(at, to));
                }
            }
            DocumentText sent = asJson ? json(text.toString()) : yaml(text.toString());
            List<DocumentFault> faults = assertTimeout(BOUNDED, () -> DocumentReader.faults(sent), text.toString());
            assertThat(faults).as(text.toString()).allSatisfy(fault -> {
                assertThat(fault.code()).isNotBlank();
                assertThat(fault.field()).hasSizeLessThan(400).doesNotContain("\0", "\u202E");
                assertThat(fault.message()).isNotBlank().hasSizeLessThan(500).doesNotContain("\0", "\u202E");
            });
        }
    }

    @Test
    void aPatchMergesAsTheStandardSays() {
        Node.Fields target = tree("{\"a\":{\"b\":1,\"c\":2},\"d\":[1]}");
        Node.Fields patch = tree("{\"a\":{\"b\":null,\"e\":{\"f\":null}},\"d\":[2],\"g\":null}");
        assertThat(Trees.toJson(Trees.merge(target, patch)).toString())
                .isEqualTo("{\"a\":{\"c\":2,\"e\":{}},\"d\":[2]}");
    }

    private static Node.Fields tree(String json) {
        return tree(json(json));
    }

    private static Node.Fields tree(DocumentText text) {
        return ((DocumentReader.Parsed.Tree) DocumentReader.parse(text)).root();
    }

    private static Draft valid(DocumentText text) {
        DocumentReader.Parsed parsed = DocumentReader.parse(text);
        assertThat(parsed).isInstanceOf(DocumentReader.Parsed.Tree.class);
        DocumentReader.Read read = DocumentReader.read(((DocumentReader.Parsed.Tree) parsed).root());
        assertThat(read.faults().list()).isEmpty();
        return read.draft();
    }

    private static Arguments bad(String addition, String field, String code) {
        return Arguments.of(addition, field, code);
    }

    private static DocumentText yaml(String text) {
        return text(Format.YAML, text);
    }

    private static DocumentText json(String text) {
        return text(Format.JSON, text);
    }

    private static DocumentText text(Format format, String text) {
        return new DocumentText(format, text.getBytes(StandardCharsets.UTF_8));
    }
}
