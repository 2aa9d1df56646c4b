package io.muster.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.job.document.DocumentReader;
import io.muster.job.document.Trees;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class DocumentYamlTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String[] TEXTS = {
        "a",
        "torchrun",
        "3e-4",
        "1",
        "1.4",
        "512Gi",
        "12h",
        "true",
        "no",
        "null",
        "~",
        "",
        " lead",
        "trail ",
        "a: b",
        "a #b",
        "- a",
        "[x]",
        "{y}",
        "*z",
        "&q",
        "!t",
        "%p",
        "@at",
        "`tick",
        "'single'",
        "\"double\"",
        "back\\slash",
        "tab\there",
        "two\nlines",
        "two\nlines\n",
        "\nfirst",
        "blank\n\nbetween",
        "ends\n\n",
        "  in\n  dent",
        "كلمة",
        "é",
        "0x10",
        "1_000",
        "2026-01-01",
        "=",
        "<<",
        "images.example:5000/a/b:1",
        "echo hi && sleep 1 | cat",
        "\u200E",
        "😀",
        "a:",
        ":a",
        "a,b",
        "https://x.example/y?z=1",
        "set -e\nfor i in 1 2; do\n  echo $i\ndone",
        "-",
        "--x",
        "?"
    };

    @Test
    void aDocumentReadsAsPeopleWriteIt() {
        ObjectNode document = (ObjectNode) JSON.readTree("""
                {"name":"x","command":"set -e\\npython train.py\\n","env":{"LR":"3e-4"},"resources":{"gpus":8,"memory":"512Gi"},
                 "data":[{"volume":"imagenet","at":"/data"}],"walltime":"12h"}
                """);
        assertThat(DocumentYaml.of(document)).isEqualTo("""
                        name: x
                        command: |
                          set -e
                          python train.py
                        env: {LR: "3e-4"}
                        resources: {gpus: 8, memory: 512Gi}
                        data: [{volume: imagenet, at: /data}]
                        walltime: 12h
                        """);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverIsWrittenReadsBackTheSame(long seed) {
        Random dice = new Random(seed);
        for (int i = 0; i < 200; i++) {
            ObjectNode document = object(dice, 3);
            String yaml = DocumentYaml.of(document);
            DocumentReader.Parsed parsed = DocumentReader.parse(
                    new DocumentText(DocumentText.Format.YAML, yaml.getBytes(StandardCharsets.UTF_8)));
            if (document.isEmpty()) {
                continue;
            }
            assertThat(parsed).as(yaml).isInstanceOf(DocumentReader.Parsed.Tree.class);
            assertThat(Trees.toJson(((DocumentReader.Parsed.Tree) parsed).root())
                            .toString())
                    .as(yaml)
                    .isEqualTo(document.toString());
        }
    }

    private static ObjectNode object(Random dice, int depth) {
        ObjectNode object = JSON.createObjectNode();
        int fields = dice.nextInt(6);
        for (int i = 0; i < fields; i++) {
            String name = dice.nextInt(4) == 0 ? TEXTS[dice.nextInt(TEXTS.length)] : "f" + i;
            switch (dice.nextInt(depth > 0 ? 6 : 4)) {
                case 0 -> object.put(name, dice.nextInt());
                case 1 -> object.put(name, dice.nextBoolean());
                case 4 -> object.set(name, object(dice, depth - 1));
                case 5 -> object.set(name, array(dice, depth - 1));
                default -> object.put(name, TEXTS[dice.nextInt(TEXTS.length)]);
            }
        }
        return object;
    }

    private static ArrayNode array(Random dice, int depth) {
        ArrayNode array = JSON.createArrayNode();
        int items = dice.nextInt(6);
        for (int i = 0; i < items; i++) {
            switch (dice.nextInt(depth > 0 ? 5 : 3)) {
                case 0 -> array.add(dice.nextInt());
                case 3 -> array.add(object(dice, depth - 1));
                case 4 -> array.add(array(dice, depth - 1));
                default -> array.add(TEXTS[dice.nextInt(TEXTS.length)]);
            }
        }
        return array;
    }
}
