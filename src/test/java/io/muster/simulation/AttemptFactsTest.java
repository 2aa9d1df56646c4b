package io.muster.simulation;

import static io.muster.simulation.Attempts.START;
import static io.muster.simulation.Attempts.TRAINS;
import static io.muster.simulation.Attempts.at;
import static io.muster.simulation.Attempts.attempt;
import static io.muster.simulation.Attempts.seconds;
import static io.muster.simulation.Attempts.trained;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterFact.CheckpointSaved;
import io.muster.gateway.ClusterFact.LogLines;
import io.muster.gateway.ClusterFact.ProgramFinished;
import io.muster.gateway.ClusterFact.ProgressMade;
import io.muster.gateway.ClusterFact.ReplicaGone;
import io.muster.gateway.ClusterFact.ReplicaSeen;
import io.muster.gateway.ReplicaPhase;
import io.muster.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AttemptFactsTest {
    private static final UUID SIGNAL = new UUID(1, 1);
    private static final Instant FOREVER = Instant.parse("2030-01-01T00:00:00Z");

    @Nested
    class Starting {
        @Test
        void podPullsThenRuns() {
            var story = attempt().replica(seconds(30)).env("START", "3s").story();
            assertThat(phases(story, 0)).startsWith(ReplicaPhase.PENDING, ReplicaPhase.PULLING, ReplicaPhase.RUNNING);
            assertThat(phaseAt(story, 0, ReplicaPhase.RUNNING)).isEqualTo(at(Duration.ofMillis(33_200)));
        }

        @Test
        void trainingBeginsWhenTheLastReplicaRuns() {
            var story = attempt()
                    .replica(seconds(0))
                    .replica(seconds(60))
                    .replica(seconds(20))
                    .story();
            assertThat(finishedAt(story)).isEqualTo(trained(60 + 1000));
        }

        @Test
        void trainingNeverBeginsWhenOneReplicaCannotPullItsImage() {
            var story = attempt().replicas(2).env("FAIL", "image").story();
            assertThat(of(ProgressMade.class, story)).isEmpty();
            var last = lastSeen(story, 0);
            assertThat(last.phase()).isEqualTo(ReplicaPhase.PULLING);
            assertThat(last.failure()).isEqualTo(FailureClass.IMAGE);
            assertThat(last.reason()).isEqualTo("ImagePullBackOff");
        }

        @Test
        void anImageOfARegistryThatCannotExistIsNotPulled() {
            var story = attempt().image("registry.invalid/train:1").story();
            assertThat(lastSeen(story, 0).failure()).isEqualTo(FailureClass.IMAGE);
        }

        @Test
        void aPodThatItsNodeWillNotHaveFailsAtOnce() {
            var story = attempt().env("FAIL", "admission").story();
            assertThat(phases(story, 0)).containsExactly(ReplicaPhase.PENDING, ReplicaPhase.FAILED);
            assertThat(lastSeen(story, 0).failure()).isEqualTo(FailureClass.ADMISSION);
        }

        @Test
        void variablesThatMakeNoSenseAreAUserErrorThatTheLogExplains() {
            var story = attempt().env("DURATION", "soon").story();
            assertThat(lastSeen(story, 0).exitCode()).isEqualTo(2);
            assertThat(lastSeen(story, 0).failure()).isEqualTo(FailureClass.USER_ERROR);
            assertThat(lines(story, 0)).anyMatch(line -> line.contains("VIRTUAL_DURATION is 'soon'"));
        }
    }

    @Nested
    class Training {
        @Test
        void endsWellAfterItsDuration() {
            var story = attempt().story();
            assertThat(finishedAt(story)).isEqualTo(trained(1000));
            assertThat(lastSeen(story, 0).phase()).isEqualTo(ReplicaPhase.SUCCEEDED);
            assertThat(lastSeen(story, 0).exitCode()).isZero();
            assertThat(lastSeen(story, 0).failure()).isNull();
        }

        @Test
        void reportsStepsInProportionToTimeAndTheLastOneAtTheEnd() {
            var facts = attempt().facts();
            var early = of(ProgressMade.class, facts.between(START, trained(250)));
            assertThat(early.getLast().step()).isEqualTo(250);
            assertThat(early.getLast().of()).isEqualTo(1000);
            var all = of(ProgressMade.class, facts.between(START, FOREVER));
            assertThat(all.getLast().step()).isEqualTo(1000);
        }

        @Test
        void lossFalls() {
            var reports = of(ProgressMade.class, attempt().story());
            assertThat(reports.getLast().loss()).isLessThan(reports.getFirst().loss() * 0.9);
        }

        @Test
        void lossGoesOnAlongTheSameCurveInTheNextAttempt() {
            var first = of(ProgressMade.class, attempt().facts().between(trained(495), trained(500)));
            var second = of(
                    ProgressMade.class,
                    attempt().number(2).resumesFrom(400).facts().between(trained(95), trained(100)));
            assertThat(second.getLast().step())
                    .isEqualTo(500)
                    .isEqualTo(first.getLast().step());
            assertThat(second.getLast().loss()).isEqualTo(first.getLast().loss());
        }

        @Test
        void savesByItselfAndGoesOnMeanwhile() {
            var story = attempt().checkpoints(seconds(300)).story();
            var saves = of(CheckpointSaved.class, story);
            assertThat(saves).extracting(CheckpointSaved::step).containsExactly(300L, 600L, 900L);
            assertThat(saves).extracting(CheckpointSaved::at).containsExactly(trained(305), trained(605), trained(905));
            assertThat(saves).allMatch(save -> save.signal() == null);
            assertThat(saves.getFirst().path()).isEqualTo("/vision/ckpt/step-00000300");
            assertThat(saves.getFirst().bytes()).isPositive();
            assertThat(finishedAt(story)).isEqualTo(trained(1000));
        }

        @Test
        void doesNotSaveWithoutAPath() {
            assertThat(of(CheckpointSaved.class, attempt().story())).isEmpty();
        }

        @Test
        void endsWithTheExitCodeThatWasAskedFor() {
            var story = attempt().env("EXIT_CODE", "3").story();
            assertThat(lastSeen(story, 0).exitCode()).isEqualTo(3);
            assertThat(lastSeen(story, 0).failure()).isEqualTo(FailureClass.USER_ERROR);
            assertThat(of(ProgramFinished.class, story)).isEmpty();
        }

        @Test
        void resumedAttemptTrainsOnlyWhatWasNotSaved() {
            assertThat(finishedAt(attempt().number(2).resumesFrom(750).story())).isEqualTo(trained(250));
        }

        @Test
        void attemptThatResumesAtTheEndIsDoneAtOnce() {
            assertThat(finishedAt(attempt().number(2).resumesFrom(5000).story()))
                    .isEqualTo(trained(0));
        }

        @Test
        void runTimeOverAttemptsIsTheDurationPlusWhatWasLost() {
            // Saved at 300, stopped without a save at 420: 120 seconds are done again.
            var first = attempt().checkpoints(seconds(300)).env("IGNORE_SIGTERM", "true");
            var stopped = first.deleted(TRAINS.plus(seconds(400)), seconds(20)).story();
            long saved = of(CheckpointSaved.class, stopped).getLast().step();
            var second = attempt().number(2).resumesFrom(saved).story();

            var ran = Duration.between(trained(0), lastSeen(stopped, 0).at())
                    .plus(Duration.between(trained(0), finishedAt(second)));
            assertThat(ran).isEqualTo(seconds(1000).plus(seconds(120)));
        }
    }

    @Nested
    class Failing {
        @Test
        void crashesWhereItIsToldTo() {
            var story = attempt().env("FAIL_AT", "3m").env("EXIT_CODE", "17").story();
            assertThat(lastSeen(story, 0).at()).isEqualTo(trained(180));
            assertThat(lastSeen(story, 0).exitCode()).isEqualTo(17);
            assertThat(lastSeen(story, 0).failure()).isEqualTo(FailureClass.USER_ERROR);
            assertThat(of(ProgramFinished.class, story)).isEmpty();
        }

        @Test
        void theReplicaThatCrashesIsTheFirstThatFails() {
            var story = attempt()
                    .replicas(3)
                    .env("FAIL_AT", "3m")
                    .env("FAIL_REPLICA", "1")
                    .story();
            assertThat(lastSeen(story, 1).at()).isEqualTo(trained(180));
            assertThat(lastSeen(story, 0).at()).isEqualTo(trained(183));
            assertThat(lastSeen(story, 2).message()).contains("replica 1");
        }

        @Test
        void crashComesBackAtTheSameStepUnlessTheAttemptResumesBehindIt() {
            var again =
                    attempt().number(2).resumesFrom(100).env("FAIL_AT", "3m").story();
            assertThat(lastSeen(again, 0).at()).isEqualTo(trained(80));
            var past = attempt().number(2).resumesFrom(200).env("FAIL_AT", "3m").story();
            assertThat(finishedAt(past)).isEqualTo(trained(800));
        }

        @Test
        void crashesOnlyInAsManyAttemptsAsItIsToldTo() {
            var second = attempt()
                    .number(2)
                    .env("FAIL_AT", "3m")
                    .env("FAIL_ATTEMPTS", "1")
                    .story();
            assertThat(finishedAt(second)).isEqualTo(trained(1000));
        }

        @Test
        void runsOutOfMemory() {
            var end = lastSeen(attempt().env("FAIL", "oom").story(), 0);
            assertThat(end.reason()).isEqualTo("OOMKilled");
            assertThat(end.failure()).isEqualTo(FailureClass.OUT_OF_MEMORY);
        }

        @Test
        void losesAGpu() {
            assertThat(lastSeen(attempt().env("FAIL", "gpu").story(), 0).failure())
                    .isEqualTo(FailureClass.GPU_FAULT);
        }

        @Test
        void hangsWithoutProgressAndWithoutEnd() {
            var story = attempt().env("FAIL", "hang").env("FAIL_AT", "5m").story();
            assertThat(of(ProgressMade.class, story).getLast().step()).isEqualTo(300);
            assertThat(lastSeen(story, 0).phase()).isEqualTo(ReplicaPhase.RUNNING);
        }

        @Test
        void failsAsOftenAsItsProbabilitySays() {
            long failed = 0;
            for (int job = 1; job <= 1000; job++) {
                var story = attempt().job(job).env("FAIL_PROBABILITY", "0.3").facts();
                failed +=
                        of(ProgramFinished.class, story.between(START, FOREVER)).isEmpty() ? 1 : 0;
            }
            assertThat(failed).isBetween(250L, 350L);
        }

        @Test
        void endsAsSomebodyOrdersByHand() {
            var order = new VirtualPod.Order(trained(50), 9);
            var story = attempt().replica(Duration.ZERO, null, order).story();
            assertThat(lastSeen(story, 0).at()).isEqualTo(trained(50));
            assertThat(lastSeen(story, 0).exitCode()).isEqualTo(9);
        }
    }

    @Nested
    class Signals {
        @Test
        void savesAndGoesOn() {
            var story = attempt()
                    .checkpoints(null)
                    .asked(SIGNAL, TRAINS.plus(seconds(100)), false)
                    .story();
            var save = of(CheckpointSaved.class, story).getFirst();
            assertThat(save.signal()).isEqualTo(SIGNAL);
            assertThat(save.step()).isEqualTo(100);
            assertThat(save.at()).isEqualTo(trained(105));
            assertThat(finishedAt(story)).isEqualTo(trained(1000));
        }

        @Test
        void savesAndStops() {
            var story = attempt()
                    .replicas(2)
                    .checkpoints(null)
                    .asked(SIGNAL, TRAINS.plus(seconds(100)), true)
                    .story();
            var save = of(CheckpointSaved.class, story);
            assertThat(save).hasSize(1);
            assertThat(save.getFirst().step()).isEqualTo(100);
            assertThat(lastSeen(story, 1).phase()).isEqualTo(ReplicaPhase.SUCCEEDED);
            assertThat(lastSeen(story, 1).at()).isEqualTo(trained(105).plus(Timeline.EXIT));
            assertThat(of(ProgramFinished.class, story)).isEmpty();
        }

        @Test
        void isAnsweredAfterTheTrainingHasBegun() {
            var story = attempt()
                    .replica(seconds(60))
                    .checkpoints(null)
                    .asked(SIGNAL, seconds(10), true)
                    .story();
            assertThat(of(CheckpointSaved.class, story).getFirst().at()).isEqualTo(trained(65));
        }

        @Test
        void isNotAnsweredByAProgramThatDoesNotCheckpoint() {
            var story = attempt().asked(SIGNAL, seconds(100), true).story();
            assertThat(of(CheckpointSaved.class, story)).isEmpty();
            assertThat(finishedAt(story)).isEqualTo(trained(1000));
        }

        @Test
        void isNotAnsweredByAProgramThatIgnoresIt() {
            var story = attempt()
                    .checkpoints(null)
                    .env("IGNORE_SIGNAL", "true")
                    .asked(SIGNAL, seconds(100), true)
                    .story();
            assertThat(of(CheckpointSaved.class, story)).isEmpty();
        }

        @Test
        void isNotAnsweredWhenTheDeadlineComesFirst() {
            var story = attempt()
                    .checkpoints(null)
                    .env("SAVE", "1m")
                    .asked(SIGNAL, TRAINS.plus(seconds(100)), true)
                    .deleted(TRAINS.plus(seconds(130)), Duration.ZERO)
                    .story();
            assertThat(of(CheckpointSaved.class, story)).isEmpty();
            assertThat(lastSeen(story, 0).at()).isEqualTo(trained(130));
            assertThat(lastSeen(story, 0).exitCode()).isEqualTo(137);
        }

        @Test
        void theSaveThatWasAskedForSurvivesADeletionWithGrace() {
            var story = attempt()
                    .checkpoints(null)
                    .asked(SIGNAL, TRAINS.plus(seconds(100)), true)
                    .deleted(TRAINS.plus(seconds(102)), seconds(30))
                    .story();
            assertThat(of(CheckpointSaved.class, story)).hasSize(1);
            assertThat(goneAt(story, 0)).isBefore(trained(107));
        }
    }

    @Nested
    class Stopping {
        @Test
        void savesOnSigtermThenEndsAndIsGone() {
            var story = attempt()
                    .checkpoints(null)
                    .deleted(TRAINS.plus(seconds(100)), seconds(60))
                    .story();
            var save = of(CheckpointSaved.class, story).getFirst();
            assertThat(save.step()).isEqualTo(100);
            assertThat(save.signal()).isNull();
            assertThat(phases(story, 0))
                    .containsSubsequence(ReplicaPhase.RUNNING, ReplicaPhase.TERMINATING, ReplicaPhase.SUCCEEDED);
            assertThat(goneAt(story, 0)).isBetween(trained(105), trained(106));
        }

        @Test
        void isKilledWhenSavingTakesLongerThanTheGrace() {
            var story = attempt()
                    .checkpoints(null)
                    .env("SAVE", "2m")
                    .deleted(TRAINS.plus(seconds(100)), seconds(60))
                    .story();
            assertThat(of(CheckpointSaved.class, story)).isEmpty();
            assertThat(lastSeen(story, 0).exitCode()).isEqualTo(137);
            assertThat(lastSeen(story, 0).at()).isEqualTo(trained(160));
        }

        @Test
        void withoutACheckpointItJustEnds() {
            var story =
                    attempt().deleted(TRAINS.plus(seconds(100)), seconds(60)).story();
            assertThat(lastSeen(story, 0).exitCode()).isEqualTo(143);
            assertThat(lastSeen(story, 0).failure()).isEqualTo(FailureClass.CANCELLED);
            assertThat(goneAt(story, 0)).isBefore(trained(101));
        }

        @Test
        void aProgramThatIgnoresSigtermTrainsOnUntilItIsKilled() {
            var story = attempt()
                    .env("IGNORE_SIGTERM", "true")
                    .deleted(TRAINS.plus(seconds(100)), seconds(60))
                    .story();
            assertThat(of(ProgressMade.class, story).getLast().step()).isEqualTo(160);
            assertThat(lastSeen(story, 0).at()).isEqualTo(trained(160));
        }

        @Test
        void aPodThatStillPullsIsGoneAtOnce() {
            var story = attempt()
                    .replica(seconds(60))
                    .deleted(seconds(10), seconds(60))
                    .story();
            assertThat(phases(story, 0)).doesNotContain(ReplicaPhase.RUNNING);
            assertThat(goneAt(story, 0)).isBefore(at(seconds(11)));
        }

        @Test
        void waitingPeersOfAPodThatStillPullsEndToo() {
            var story = attempt()
                    .replica(seconds(0))
                    .replica(seconds(60))
                    .deleted(seconds(10), seconds(60))
                    .story();
            assertThat(lastSeen(story, 0).exitCode()).isEqualTo(143);
            assertThat(goneAt(story, 0)).isBefore(at(seconds(11)));
        }

        @Test
        void aPodThatHasEndedIsGoneWhenItIsDeleted() {
            var story = attempt().deleted(seconds(2000), seconds(60)).story();
            assertThat(lastSeen(story, 0).phase()).isEqualTo(ReplicaPhase.SUCCEEDED);
            assertThat(phases(story, 0)).doesNotContain(ReplicaPhase.TERMINATING);
            assertThat(goneAt(story, 0)).isBetween(at(seconds(2000)), at(seconds(2001)));
        }

        @Test
        void aHungProgramIsKilledWhenItsGraceIsOver() {
            var story = attempt()
                    .checkpoints(null)
                    .env("FAIL", "hang")
                    .env("FAIL_AT", "1m")
                    .deleted(seconds(100), seconds(20))
                    .story();
            assertThat(lastSeen(story, 0).at()).isEqualTo(at(seconds(120)));
        }

        @Test
        void withoutADeletionPodsStay() {
            assertThat(of(ReplicaGone.class, attempt().story())).isEmpty();
        }
    }

    @Nested
    class LosingANode {
        @Test
        void saysNothingAndMakesNoProgressUntilItIsProven() {
            var loss = new VirtualPod.Loss(trained(100), null, false);
            var story = attempt()
                    .replica(seconds(0))
                    .replica(seconds(0), loss, null)
                    .story();
            assertThat(of(ProgressMade.class, story).getLast().step()).isEqualTo(100);
            assertThat(lastSeen(story, 0).phase()).isEqualTo(ReplicaPhase.RUNNING);
            assertThat(lastSeen(story, 1).phase()).isEqualTo(ReplicaPhase.RUNNING);
        }

        @Test
        void aLostPodThatIsDeletedIsNotGoneBeforeItsNodeIs() {
            var lost = new VirtualPod.Loss(trained(100), null, false);
            var stuck = attempt()
                    .replica(seconds(0), lost, null)
                    .deleted(seconds(200), seconds(10))
                    .story();
            assertThat(lastSeen(stuck, 0).phase()).isEqualTo(ReplicaPhase.TERMINATING);
            assertThat(of(ReplicaGone.class, stuck)).isEmpty();

            var proven = new VirtualPod.Loss(trained(100), at(seconds(300)), true);
            var freed = attempt()
                    .replica(seconds(0), proven, null)
                    .deleted(seconds(200), seconds(10))
                    .story();
            assertThat(goneAt(freed, 0)).isBetween(at(seconds(300)), at(seconds(301)));
        }

        @Test
        void aNodeThatComesBackSaysThatItsPodsDied() {
            var loss = new VirtualPod.Loss(trained(100), trained(150), false);
            var story = attempt().replica(seconds(0), loss, null).story();
            assertThat(lastSeen(story, 0).failure()).isEqualTo(FailureClass.NODE_LOST);
            assertThat(lastSeen(story, 0).at()).isEqualTo(trained(150));
            assertThat(of(ReplicaGone.class, story)).isEmpty();
        }

        @Test
        void survivorsStopWithoutASaveWhenTheyAreDeleted() {
            var loss = new VirtualPod.Loss(trained(100), null, false);
            var story = attempt()
                    .checkpoints(null)
                    .replica(seconds(0))
                    .replica(seconds(0), loss, null)
                    .deleted(TRAINS.plus(seconds(150)), seconds(30))
                    .story();
            assertThat(of(CheckpointSaved.class, story)).isEmpty();
            assertThat(goneAt(story, 0)).isBefore(trained(152));
        }

        @Test
        void aLostPodPrintsNothingMore() {
            var loss = new VirtualPod.Loss(trained(100), trained(150), false);
            var story = attempt().replica(seconds(0), loss, null).story();
            assertThat(lines(story, 0)).noneMatch(line -> line.contains("step 110/"));
            assertThat(lines(story, 0)).anyMatch(line -> line.contains("step 100/"));
        }
    }

    @Nested
    class Telling {
        private final Attempts eventful = attempt()
                .replica(seconds(3))
                .replica(seconds(9))
                .checkpoints(seconds(90))
                .asked(SIGNAL, seconds(250), false)
                .asked(new UUID(2, 2), seconds(400), true)
                .deleted(seconds(402), seconds(60));

        @Test
        void windowsThatMeetTellWhatOneWindowTells() {
            var facts = eventful.facts();
            var pieces = new ArrayList<ClusterFact>();
            Instant from = Instant.EPOCH;
            for (Instant to = START.minusMillis(1); to.isBefore(at(seconds(500))); to = to.plusMillis(737)) {
                pieces.addAll(facts.between(from, to));
                from = to;
            }
            var whole = facts.between(Instant.EPOCH, FOREVER);
            assertThat(without(ProgressMade.class, LogLines.class, pieces))
                    .isEqualTo(without(ProgressMade.class, LogLines.class, whole));
            assertThat(lines(pieces, 0)).isEqualTo(lines(whole, 0));
            assertThat(lines(pieces, 1)).isEqualTo(lines(whole, 1));
        }

        @Test
        void linesAreNumberedWithoutGaps() {
            var facts = eventful.facts();
            long next = 0;
            Instant from = Instant.EPOCH;
            for (Instant to = START; to.isBefore(at(seconds(500))); to = to.plusMillis(1_100)) {
                for (LogLines told : of(LogLines.class, facts.between(from, to))) {
                    if (told.replica().index() == 0) {
                        assertThat(told.offset()).isEqualTo(next);
                        next += told.lines().size();
                    }
                }
                from = to;
            }
            assertThat(next).isEqualTo(lines(eventful.story(), 0).size());
        }

        @Test
        void nextIsTheTimeOfTheNextFact() {
            var facts = eventful.facts();
            Instant at = START.minusMillis(1);
            int looks = 0;
            for (var next = facts.nextAfter(at); next.isPresent(); next = facts.nextAfter(at)) {
                assertThat(facts.between(at, next.get().minusMillis(1))).isEmpty();
                assertThat(facts.between(at, next.get())).isNotEmpty();
                at = next.get();
                assertThat(++looks).isLessThan(1_000);
            }
            assertThat(facts.between(at, FOREVER)).isEmpty();
        }

        @Test
        void aLongWindowKeepsASampleOfProgressWithItsNewest() {
            var reports = of(ProgressMade.class, attempt().facts().between(START, trained(995)));
            assertThat(reports).hasSizeLessThanOrEqualTo(10);
            assertThat(reports.getLast().step()).isEqualTo(990);
        }

        @Test
        void aFloodOfLinesKeepsTheNewestAndTheirNumbers() {
            var chatty = attempt()
                    .env("DURATION", "2d")
                    .env("STEPS", "172800")
                    .env("REPORT", "1s")
                    .facts();
            var told =
                    of(LogLines.class, chatty.between(START, trained(100_000))).getFirst();
            assertThat(told.lines()).hasSize(2_000);
            assertThat(told.lines().getLast()).contains("step 100000/");
            var before = of(LogLines.class, chatty.between(trained(99_999), trained(100_000)))
                    .getFirst();
            assertThat(told.offset() + 1_999).isEqualTo(before.offset());
        }

        @Test
        void whatIsDoneLaterChangesNothingThatWasTold() {
            Instant now = at(seconds(300));
            var undisturbed =
                    attempt().replicas(2).checkpoints(seconds(90)).facts().between(Instant.EPOCH, now);
            Instant later = now.plusMillis(1);
            var loss = new VirtualPod.Loss(later, later, true);
            var order = new VirtualPod.Order(later, 1);
            List<Attempts> disturbed = List.of(
                    attempt()
                            .replicas(2)
                            .checkpoints(seconds(90))
                            .deleted(Duration.between(START, later), Duration.ZERO),
                    attempt().replicas(2).checkpoints(seconds(90)).asked(SIGNAL, Duration.between(START, later), true),
                    attempt()
                            .replica(seconds(0))
                            .replica(seconds(0), loss, null)
                            .checkpoints(seconds(90)),
                    attempt()
                            .replica(seconds(0))
                            .replica(seconds(0), null, order)
                            .checkpoints(seconds(90)));
            for (Attempts attempt : disturbed) {
                assertThat(attempt.facts().between(Instant.EPOCH, now)).isEqualTo(undisturbed);
            }
        }

        @Test
        void asOfTellsWhereEveryPodThatExistsIs() {
            var facts = eventful.facts();
            assertThat(facts.asOf(at(seconds(5))))
                    .extracting(f -> ((ReplicaSeen) f).phase())
                    .containsExactly(ReplicaPhase.RUNNING, ReplicaPhase.PULLING);
            assertThat(facts.asOf(at(seconds(500)))).isEmpty();
            assertThat(facts.isGone(at(seconds(500)))).isTrue();
        }

        @Test
        void equalRowsTellEqualStories() {
            assertThat(eventful.story()).isEqualTo(eventful.story());
        }

        @Test
        void gpusAreFreeWhenThePodHasEnded() {
            var facts = attempt().facts();
            assertThat(facts.hasEnded(0, trained(999))).isFalse();
            assertThat(facts.hasEnded(0, trained(1000))).isTrue();
        }
    }

    private static <F extends ClusterFact> List<F> of(Class<F> kind, List<ClusterFact> facts) {
        return facts.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static List<ClusterFact> without(
            Class<? extends ClusterFact> kind, Class<? extends ClusterFact> other, List<ClusterFact> facts) {
        return facts.stream()
                .filter(f -> !kind.isInstance(f) && !other.isInstance(f))
                .toList();
    }

    private static List<ReplicaSeen> seen(List<ClusterFact> facts, int index) {
        return of(ReplicaSeen.class, facts).stream()
                .filter(f -> f.replica().index() == index)
                .toList();
    }

    private static List<ReplicaPhase> phases(List<ClusterFact> facts, int index) {
        return seen(facts, index).stream().map(ReplicaSeen::phase).toList();
    }

    private static Instant phaseAt(List<ClusterFact> facts, int index, ReplicaPhase phase) {
        return seen(facts, index).stream()
                .filter(f -> f.phase() == phase)
                .findFirst()
                .orElseThrow()
                .at();
    }

    private static ReplicaSeen lastSeen(List<ClusterFact> facts, int index) {
        return seen(facts, index).getLast();
    }

    private static Instant goneAt(List<ClusterFact> facts, int index) {
        return of(ReplicaGone.class, facts).stream()
                .filter(f -> f.replica().index() == index)
                .findFirst()
                .orElseThrow()
                .at();
    }

    private static Instant finishedAt(List<ClusterFact> facts) {
        return of(ProgramFinished.class, facts).getFirst().at();
    }

    private static List<String> lines(List<ClusterFact> facts, int index) {
        return of(LogLines.class, facts).stream()
                .filter(f -> f.replica().index() == index)
                .flatMap(f -> f.lines().stream())
                .toList();
    }
}
