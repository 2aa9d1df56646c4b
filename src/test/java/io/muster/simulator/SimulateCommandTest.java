package io.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class SimulateCommandTest {
    private static final String FLEET = "scenarios/fleets/gpus-64.yaml";
    private static final String TRACE = "src/test/resources/traces/philly.csv";

    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void oneRunWritesItsCardItsPageAndItsJobs() throws IOException {
        assertThat(run("--fleet", FLEET, "--trace", TRACE, "--policy", "muster", "--out", dir.toString()))
                .isZero();
        var card = JsonMapper.shared().readTree(dir.resolve("scorecard.json").toFile());
        assertThat(card.at("/totals/jobs").asInt()).isEqualTo(4);
        assertThat(card.at("/setting/gpus").asInt()).isEqualTo(64);
        assertThat(card.at("/totals/neverEnded").asInt()).isZero();
        assertThat(Files.readAllLines(dir.resolve("jobs.csv")))
                .hasSize(5)
                .first()
                .asString()
                .startsWith("line,name,team,");
        var page = Files.readString(dir.resolve("scorecard.html"));
        assertThat(page).startsWith("<!doctype html>").contains("<svg", "muster on philly.csv", "not 5 columns");
        assertThat(page).as("needs nothing else").doesNotContain("http", "<script", "src=");
        assertThat(text(out))
                .contains("1 lines left out: asks for no GPU (first: [6])")
                .contains("4 jobs");
        assertThat(text(err)).contains("muster 100 %  4 of 4 jobs");
    }

    @Test
    void twoPoliciesStandSideBySide() throws IOException {
        assertThat(run("--fleet", FLEET, "--trace", TRACE, "--compare", "srsf", "drf", "--out", dir.toString()))
                .isZero();
        assertThat(Files.readString(dir.resolve("compare.html"))).contains("srsf beside drf");
        assertThat(dir.resolve("srsf/scorecard.json")).exists();
        assertThat(dir.resolve("drf/jobs.csv")).exists();
    }

    @Test
    void helpSaysWhatThereIs() {
        assertThat(run("--help")).isZero();
        assertThat(text(out)).contains("fifo-backfill", "shockwave", "--compare");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--fleet f;--trace is missing",
                "--fleet;--fleet needs a value",
                "--fleet --trace;--fleet needs a value",
                "--fleet a --fleet b;--fleet is given twice",
                "--speed 9;there is no option --speed",
                "--fleet FLEET --trace TRACE --policy magic --out OUT;there is no policy magic; there are ",
                "--fleet FLEET --trace TRACE --compare drf;--compare needs two policies",
                "--fleet FLEET --trace TRACE --compare drf drf --out OUT;--compare needs two different policies",
                "--fleet FLEET --trace TRACE --out OUT;give either --policy or --compare",
                "--fleet FLEET --trace TRACE --policy drf --out OUT --restart soon;--restart is a time such as",
                "--fleet FLEET --trace TRACE --policy drf --out OUT --first none;--first is a number of jobs, not none",
                "--fleet FLEET --trace TRACE --policy drf --out OUT --format xml;there is no format xml; there are philly",
                "--fleet FLEET --trace TRACE --policy drf --out OUT --format muri;philly.csv: line 1: a muri trace has",
                "--fleet FLEET --trace missing.csv --policy drf --out OUT;there is no file missing.csv",
                "--fleet TRACE --trace TRACE --policy drf --out OUT;philly.csv",
                "--fleet FLEET --trace FLEET --policy drf --out OUT;gpus-64.yaml: line 1: no known format",
            })
    void whatIsWrongIsSaidInOneLine(String words, String said) {
        var args = new ArrayList<String>();
        for (String word : words.split(" ")) {
            args.add(word.replace("FLEET", FLEET).replace("TRACE", TRACE).replace("OUT", dir.toString()));
        }
        assertThat(run(args.toArray(String[]::new))).isEqualTo(2);
        assertThat(text(err)).startsWith("simulate: ").contains(said);
        assertThat(text(err).lines()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "submitted,run_seconds,gpus\\n;no line of it is a job",
                "submitted,run_seconds,gpus\\nsoon,1,1\\n;no line of it is a job; line 2: submitted is not",
                "submitted,run_seconds,gpus\\n0,10,4096\\n;none of its jobs fits on the fleet, which has 64 GPUs of type",
                "'';the trace is empty",
            })
    void aTraceWithoutAJobThatCanRunIsRefused(String text, String said) throws IOException {
        var trace = Files.writeString(dir.resolve("t.csv"), text.replace("\\n", "\n"));
        assertThat(run("--fleet", FLEET, "--trace", trace.toString(), "--policy", "drf", "--out", dir.toString()))
                .isEqualTo(2);
        assertThat(text(err)).startsWith("simulate: t.csv: " + said);
    }

    @Test
    void aTableAsSomeProgramsSaveItIsRead() throws IOException {
        var text = "\uFEFFsubmitted,run_seconds,gpus,name\r\n2026-03-01T10:00:00+01:00,5,1,\"a, b\"\r\n";
        var trace = Files.writeString(dir.resolve("t.csv"), text);
        assertThat(run("--fleet", FLEET, "--trace", trace.toString(), "--policy", "muster", "--out", dir.toString()))
                .isZero();
        assertThat(Files.readAllLines(dir.resolve("jobs.csv")).getLast())
                .startsWith("2,\"a, b\",all,1,2026-03-01T09:00:00Z");
    }

    @Test
    void placesThatCannotBeReadOrWrittenAreNamed() throws IOException {
        var file = Files.writeString(dir.resolve("file"), "");
        var latin = Files.write(dir.resolve("latin.csv"), new byte[] {'a', (byte) 0xE4});
        assertThat(run("--fleet", FLEET, "--trace", dir.toString(), "--policy", "drf", "--out", dir.toString()))
                .isEqualTo(2);
        assertThat(run("--fleet", FLEET, "--trace", latin.toString(), "--policy", "drf", "--out", dir.toString()))
                .isEqualTo(2);
        assertThat(run("--fleet", FLEET, "--trace", TRACE, "--policy", "drf", "--out", file.toString()))
                .isEqualTo(2);
        assertThat(run("--fleet", FLEET, "--trace", TRACE, "--policy", "drf", "--out", file + "/in"))
                .isEqualTo(2);
        assertThat(text(err).lines())
                .containsExactly(
                        "simulate: " + dir + " is a directory, not a file",
                        "simulate: latin.csv is not a text in UTF-8",
                        "simulate: --out needs a directory, and " + file + " is a file",
                        "simulate: --out needs a directory, and " + file + " is a file");
    }

    @Test
    void aBarFillsOnATerminal() {
        var bar = new ProgressBar(new PrintStream(err, true, StandardCharsets.UTF_8), "drf", true);
        bar.show(1, 2);
        bar.show(1, 2);
        assertThat(text(err)).isEqualTo("\rdrf [" + "#".repeat(20) + " ".repeat(20) + "]  50 %  1 of 2 jobs");
    }

    private int run(String... words) {
        var args = new ArrayList<>(List.of("simulate"));
        args.addAll(List.of(words));
        assertThat(SimulateCommand.isAsked(args.toArray(String[]::new))).isTrue();
        return SimulateCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args.toArray(String[]::new));
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
