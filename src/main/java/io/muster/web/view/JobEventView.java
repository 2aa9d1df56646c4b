package io.muster.web.view;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a job; also the data of server-sent events (event name {@code job}).
 *
 * @param kind {@code state} for a change of state, else a word such as checkpoint-saved, reservation-made
 * @param actor username, null: the system
 * @param why a stable word: submitted, planned, preempted, reclaimed, cancelled-by-user, walltime, replica-failed ...
 * @param sentence in English
 */
public record JobEventView(
        long id,
        Instant at,
        long job,
        String team,
        int attempt,
        String kind,
        @Nullable String from,
        @Nullable String to,
        @Nullable String actor,
        String why,
        String sentence,
        Map<String, Object> data) {}
