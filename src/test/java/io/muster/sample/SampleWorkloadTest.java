package io.muster.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SampleWorkloadTest {
    private final Demo demo = Demos.shipped();
    private final FakeDesk desk = new FakeDesk();
    private final SetClock clock = new SetClock();
    private final SampleWorkload workload = new SampleWorkload(desk, demo, clock);

    @Test
    void submitsNothingBeforeThereAreNodes() {
        desk.open = false;
        tick(10);
        assertThat(desk.submitted).isEmpty();
    }

    @Test
    void fillsAnIdleFleetAtOnce() {
        tick(1);
        assertThat(desk.submitted).hasSize(36);
        assertThat(desk.submitted).filteredOn(job -> pool(job).equals("a100")).hasSize(10);
        assertThat(desk.submitted.stream().mapToInt(SampleJob::gpus).sum()).isBetween(90, 400);
    }

    @Test
    void theQueueNeverGrowsFarBeyondWhatMakesItInteresting() {
        desk.busy = true;
        tick(600); // nothing ever starts
        long normal = desk.submitted.stream()
                .filter(job -> !job.key().contains("urgent"))
                .mapToInt(SampleJob::gpus)
                .sum();
        assertThat(normal).isBetween(20L, 2 * (28L + 2 * 64));
        assertThat(desk.submitted).hasSizeLessThan(50);
    }

    @Test
    void goesOnSubmittingWhileJobsStart() {
        desk.busy = true;
        for (int i = 0; i < 60; i++) {
            desk.queues.clear(); // what waited has started
            tick(1);
        }
        assertThat(desk.submitted).hasSizeGreaterThan(200);
    }

    @Test
    void anUrgentJobComesOncePerPeriod() {
        desk.busy = true;
        for (int i = 0; i < 10; i++) {
            desk.enqueue("h100", 8);
            desk.enqueue("a100", 8);
        }
        tick((int) demo.workload().urgentEvery().multipliedBy(5).toSeconds());
        assertThat(desk.submitted).hasSize(5).allMatch(job -> job.key().startsWith("sample-urgent-"));
        assertThat(json(desk.submitted.getFirst()).path("priority").asString()).isEqualTo("production");
    }

    @Test
    void keysAreNeverUsedTwiceAlsoNotAfterARestart() {
        tick(30);
        clock.pass(Duration.ofSeconds(1));
        var restarted = new SampleWorkload(desk, demo, clock);
        desk.queues.clear();
        restarted.tick();
        assertThat(new HashSet<>(desk.submitted.stream().map(SampleJob::key).toList()))
                .hasSize(desk.submitted.size());
    }

    @Test
    void aRefusedJobStopsNothing() {
        desk.refuses = true;
        tick(3);
        desk.refuses = false;
        tick(1);
        assertThat(desk.submitted).isNotEmpty();
    }

    @Test
    void equalNumbersDrawEqualJobs() {
        var mix = new JobMix(demo);
        assertThat(mix.job(77, "h100", 64)).isEqualTo(mix.job(77, "h100", 64));
        assertThat(mix.job(77, "h100", 64)).isNotEqualTo(mix.job(78, "h100", 64));
    }

    @Test
    void manyAreSmallAndFewAreLarge() {
        var mix = new JobMix(demo);
        var sizes = IntStream.range(0, 2_000)
                .map(n -> mix.job(n, "h100", 64).gpus())
                .toArray();
        assertThat(IntStream.of(sizes).filter(s -> s <= 2).count()).isBetween(900L, 1_400L);
        assertThat(IntStream.of(sizes).filter(s -> s >= 32).count()).isBetween(60L, 200L);
    }

    @Test
    void aLargeGangThatWaitsDoesNotKeepSmallJobsAway() {
        desk.busy = true;
        desk.enqueue("h100", 64);
        tick(3);
        assertThat(desk.submitted)
                .filteredOn(job -> pool(job).equals("h100"))
                .isNotEmpty()
                .anyMatch(job -> json(job).path("replicas").asInt() == 1);
    }

    @Test
    void noMoreGangsComeWhenManyWait() {
        var mix = new JobMix(demo);
        assertThat(IntStream.range(0, 500).mapToObj(n -> mix.job(n, "a100", 8))).allMatch(job -> job.gpus() <= 8);
    }

    @Test
    void onlyTeamAdminsAskForMoreThanNormal() {
        var mix = new JobMix(demo);
        IntStream.range(0, 2_000)
                .mapToObj(n -> mix.job(n, "h100", 64))
                .filter(job -> json(job).path("priority").asString().equals("high"))
                .forEach(job -> assertThat(job.user()).isIn("amira", "leila", "priya"));
    }

    private void tick(int seconds) {
        for (int i = 0; i < seconds; i++) {
            workload.tick();
            clock.pass(Duration.ofSeconds(1));
        }
    }

    private static JsonNode json(SampleJob job) {
        return JsonMapper.shared().readTree(job.document());
    }

    private static String pool(SampleJob job) {
        return json(job).path("pool").asString();
    }

    private static final class FakeDesk implements JobDesk {
        private final List<SampleJob> submitted = new ArrayList<>();
        private boolean open = true;
        private boolean busy;
        private boolean refuses;
        private final Map<String, Queue> queues = new TreeMap<>();

        void enqueue(String pool, int gpus) {
            queues.merge(pool, new Queue(1, gpus), (a, b) -> new Queue(a.jobs() + b.jobs(), a.gpus() + b.gpus()));
        }

        @Override
        public boolean open() {
            return open;
        }

        @Override
        public Map<String, Queue> queues() {
            return queues;
        }

        @Override
        public boolean busy(String pool) {
            return busy;
        }

        @Override
        public void submit(SampleJob job) {
            if (refuses) {
                throw new IllegalStateException("refused");
            }
            submitted.add(job);
            enqueue(pool(job), job.gpus());
        }
    }

    private static final class SetClock extends Clock {
        private Instant now = Instant.parse("2026-03-01T12:00:01Z");

        void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
