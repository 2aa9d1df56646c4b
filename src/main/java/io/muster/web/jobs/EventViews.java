package io.muster.web.jobs;

import io.muster.job.JobHistory.Event;
import io.muster.model.Role;
import io.muster.tenancy.Reader;
import io.muster.web.view.JobEventView;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Events as a reader may see them: outside the job's team changes of state alone, without cause and data. */
@Component
public class EventViews {
    private static final String STATE = "state";

    private final JobViews names;

    EventViews(JobViews names) {
        this.names = names;
    }

    /** Empty when the reader may not know of it. */
    public Optional<JobEventView> of(Event event, Reader reader) {
        if (reader.may(event.team(), Role.VIEWER)) {
            return Optional.of(whole(event));
        }
        return outside(event);
    }

    /** For readers outside the team; empty when there is nothing for them in it. */
    public Optional<JobEventView> outside(Event event) {
        return event.to() == null ? Optional.empty() : Optional.of(state(event));
    }

    public JobEventView whole(Event event) {
        boolean move = event.to() != null;
        String actor = event.actor() == null ? null : names.username(event.actor());
        return new JobEventView(
                event.id(),
                event.at(),
                event.job().value(),
                names.path(event.team()),
                event.attempt(),
                move ? STATE : event.kind(),
                event.from(),
                event.to(),
                actor,
                event.why(),
                sentence(event, actor),
                event.data());
    }

    private JobEventView state(Event event) {
        return new JobEventView(
                event.id(),
                event.at(),
                event.job().value(),
                names.path(event.team()),
                event.attempt(),
                STATE,
                event.from(),
                event.to(),
                null,
                STATE,
                moved(event),
                Map.of());
    }

    private static String sentence(Event event, @Nullable String actor) {
        String by = actor == null ? "" : " by " + actor;
        String reason = event.data().get("reason") instanceof String text ? ": " + text : "";
        String what = event.to() != null ? moved(event) : words(event.kind());
        String cause = event.why().equals(event.kind()) ? "" : " (" + words(event.why()) + by + ")";
        return what + cause + reason;
    }

    private static String moved(Event event) {
        String to = words(String.valueOf(event.to()));
        return event.from() == null ? to : words(event.from()) + " to " + to;
    }

    private static String words(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', ' ').replace('-', ' ');
    }
}
