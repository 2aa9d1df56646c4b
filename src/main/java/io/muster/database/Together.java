package io.muster.database;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Asks for many callers at once what each would ask by itself. Who finds nobody before him asks at once, alone; who comes
 * meanwhile is asked for with all the others who did, by one of them. So nobody waits for company, and the busier it is,
 * the less each costs. What is asked is asked after its caller came: an answer is never older than its question.
 *
 * @param <Q> a question
 * @param <A> its answer
 */
public final class Together<Q, A> {
    private final int most;
    private final Function<List<Q>, List<A>> ask;
    private final Queue<Waiting<Q, A>> waiting = new ArrayDeque<>();
    private boolean busy;

    /**
     * @param most questions at once
     * @param ask answers in the order of the questions, all or none; one that breaks a constraint is told from the others
     *     by asking one by one
     */
    public Together(int most, Function<List<Q>, List<A>> ask) {
        this.most = most;
        this.ask = ask;
    }

    /** Waits for the answer; throws what asking threw. */
    public A ask(Q question) {
        var mine = new Waiting<Q, A>(question);
        if (isFirst(mine) || mine.isToLead()) {
            try {
                answer(withOthers(mine));
            } finally {
                handOver();
            }
        }
        return mine.answer();
    }

    /** How many wait while others are asked for. */
    synchronized int waiting() {
        return waiting.size();
    }

    private synchronized boolean isFirst(Waiting<Q, A> mine) {
        if (busy) {
            waiting.add(mine);
            return false;
        }
        busy = true;
        return true;
    }

    private synchronized List<Waiting<Q, A>> withOthers(Waiting<Q, A> mine) {
        var group = new ArrayList<Waiting<Q, A>>();
        group.add(mine);
        while (group.size() < most && !waiting.isEmpty()) {
            group.add(waiting.remove());
        }
        return group;
    }

    /** The next asks for itself and the others: whoever has his answer goes his way. */
    private synchronized void handOver() {
        Waiting<Q, A> next = waiting.poll();
        busy = next != null;
        if (next != null) {
            next.lead();
        }
    }

    private void answer(List<Waiting<Q, A>> group) {
        try {
            List<A> answers = ask.apply(group.stream().map(w -> w.question).toList());
            for (int i = 0; i < group.size(); i++) {
                group.get(i).complete(answers.get(i));
            }
        } catch (DataIntegrityViolationException e) {
            if (group.size() == 1) {
                group.getFirst().fail(e);
            } else {
                group.forEach(each -> answer(List.of(each)));
            }
        } catch (RuntimeException | Error e) {
            group.forEach(each -> each.fail(e));
        }
    }

    private static final class Waiting<Q, A> {
        private final Q question;
        private final CompletableFuture<A> outcome = new CompletableFuture<>();
        private final CompletableFuture<Boolean> leads = new CompletableFuture<>();

        Waiting(Q question) {
            this.question = question;
        }

        void complete(A answer) {
            outcome.complete(answer);
            leads.complete(false);
        }

        void fail(Throwable why) {
            outcome.completeExceptionally(why);
            leads.complete(false);
        }

        void lead() {
            leads.complete(true);
        }

        /** Waits until it is known: false when another has asked for this one. */
        boolean isToLead() {
            return leads.join();
        }

        A answer() {
            try {
                return outcome.join();
            } catch (CompletionException e) {
                switch (e.getCause()) {
                    case RuntimeException cause -> throw cause;
                    case Error cause -> throw cause;
                    case null, default -> throw e;
                }
            }
        }
    }
}
