package io.muster.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;

@Timeout(20)
class TogetherTest {
    private final List<List<Integer>> groups = new CopyOnWriteArrayList<>();
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Together<Integer, String> together = new Together<>(4, this::answer);

    /** The very first waits until it may go on; -1 breaks a rule, -2 finds the database away. */
    private List<String> answer(List<Integer> questions) {
        groups.add(questions);
        if (questions.equals(List.of(0))) {
            first.countDown();
            await(goOn);
        }
        if (questions.contains(-1)) {
            throw new DataIntegrityViolationException("-1");
        }
        if (questions.contains(-2)) {
            throw new QueryTimeoutException("-2");
        }
        return questions.stream().map(q -> "to " + q).toList();
    }

    @Test
    void whoeverIsAloneIsAskedForAlone() {
        goOn.countDown();
        assertThat(IntStream.range(0, 3).mapToObj(together::ask)).containsExactly("to 0", "to 1", "to 2");
        assertThat(groups).containsExactly(List.of(0), List.of(1), List.of(2));
    }

    @Test
    void whoeverComesMeanwhileIsAskedForTogetherAndAtMostSoMany() throws Exception {
        List<Future<String>> answers = askBehindTheFirst(1, 2, 3, 4, 5, 6);
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).get()).isEqualTo("to " + i);
        }
        assertThat(groups).containsExactly(List.of(0), List.of(1, 2, 3, 4), List.of(5, 6));
    }

    @Test
    void whoBreaksARuleIsToldAloneOfIt() throws Exception {
        List<Future<String>> answers = askBehindTheFirst(1, -1, 3);
        assertThat(answers.get(1).get()).isEqualTo("to 1");
        assertThatThrownBy(answers.get(2)::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(answers.get(3).get()).isEqualTo("to 3");
        assertThat(groups).containsExactly(List.of(0), List.of(1, -1, 3), List.of(1), List.of(-1), List.of(3));
    }

    @Test
    void whatFailsForAllIsToldToAllAndTheNextIsAskedAnew() throws Exception {
        List<Future<String>> answers = askBehindTheFirst(1, -2);
        for (int i = 1; i < 3; i++) {
            assertThatThrownBy(answers.get(i)::get).cause().isInstanceOf(QueryTimeoutException.class);
        }
        assertThat(groups).containsExactly(List.of(0), List.of(1, -2));
        assertThat(together.ask(7)).isEqualTo("to 7");
    }

    /** Asks 0, and the others, one after the other, while 0 is being answered. */
    private List<Future<String>> askBehindTheFirst(int... questions) throws Exception {
        var answers = new ArrayList<Future<String>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers.add(threads.submit(() -> together.ask(0)));
            first.await();
            for (int i = 0; i < questions.length; i++) {
                int question = questions[i];
                answers.add(threads.submit(() -> together.ask(question)));
                while (together.waiting() <= i) {
                    Thread.sleep(1);
                }
            }
            goOn.countDown();
        }
        return answers;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
