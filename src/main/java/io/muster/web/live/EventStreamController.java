package io.muster.web.live;

import io.muster.security.Caller;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The stream of all that the caller may see. */
@RestController
class EventStreamController {
    private final LiveStreams streams;
    private final LiveHub hub;

    EventStreamController(LiveStreams streams, LiveHub hub) {
        this.streams = streams;
        this.hub = hub;
    }

    @ApiResponse(
            responseCode = "200",
            description = "A stream of server-sent events",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = "string")))
    @GetMapping(path = "/api/v1/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> events(
            Caller caller, @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last) {
        return ResponseEntity.ok()
                .header("X-Accel-Buffering", "no")
                .body(streams.open(caller, stream -> hub.follow(stream, last)));
    }
}
