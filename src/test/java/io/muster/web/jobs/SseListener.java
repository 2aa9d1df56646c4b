package io.muster.web.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A stream as it comes in: one entry per event, with its name and data; and the last id. */
final class SseListener {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<String> events = new CopyOnWriteArrayList<>();
    private volatile String lastId = "";
    private volatile boolean ended;

    private SseListener() {}

    /** Fails when the server does not open a stream. */
    static SseListener open(HttpRequest.Builder request) {
        HttpResponse<Stream<String>> response = HTTP.sendAsync(request.build(), HttpResponse.BodyHandlers.ofLines())
                .join();
        assertThat(response.statusCode()).isEqualTo(200);
        var listener = new SseListener();
        Thread.ofVirtual().start(() -> listener.read(response.body()));
        return listener;
    }

    private void read(Stream<String> lines) {
        String[] name = {""};
        try {
            lines.forEach(line -> {
                if (line.startsWith("event:")) {
                    name[0] = line.substring(6).strip();
                } else if (line.startsWith("id:")) {
                    lastId = line.substring(3).strip();
                } else if (line.startsWith("data:")) {
                    events.add(name[0] + " " + line.substring(5));
                }
            });
        } catch (RuntimeException e) {
            // A stream that is cut is an end too.
        }
        ended = true;
    }

    List<String> events() {
        return events;
    }

    String lastId() {
        return lastId;
    }

    long count(String part) {
        return events.stream().filter(e -> e.contains(part)).count();
    }

    boolean ended() {
        return ended;
    }

    boolean heard(String... parts) {
        return events.stream().anyMatch(e -> Stream.of(parts).allMatch(e::contains));
    }

    void hears(String... parts) {
        await().atMost(SOON).until(() -> heard(parts));
    }

    void ends() {
        await().atMost(SOON).until(() -> ended);
    }
}
