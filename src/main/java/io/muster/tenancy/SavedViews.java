package io.muster.tenancy;

import io.muster.model.Refusal;
import io.muster.model.UserId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Named views that people keep for themselves. They are one document, so that two windows cannot mix theirs up. */
@Component
@Transactional
public class SavedViews {
    private static final int MOST = 50;
    private static final int LONGEST_NAME = 60;
    private static final int LONGEST_QUERY = 1_000;
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<List<View>> VIEWS = new TypeReference<>() {};

    private final JdbcClient jdbc;

    SavedViews(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A view; {@code query} is what stands behind the question mark of its address. */
    public record View(String name, String query) {}

    /** All of a person's; version 0: none was ever kept. */
    public record Kept(List<View> views, long version) {}

    @Transactional(readOnly = true)
    public Kept of(UserId user) {
        return find(user).orElse(new Kept(List.of(), 0));
    }

    /** @param seen the version that the change was made on */
    public Kept keep(UserId user, List<View> views, long seen) {
        check(views);
        String body = JSON.writeValueAsString(views);
        int written = seen == 0
                ? jdbc.sql("insert into saved_views values (?, ?::jsonb, 1) on conflict do nothing")
                        .params(user.value(), body)
                        .update()
                : jdbc.sql("update saved_views set body = ?::jsonb, version = version + 1"
                                + " where principal_id = ? and version = ?")
                        .params(body, user.value(), seen)
                        .update();
        if (written == 0) throw Refusal.stale();
        return new Kept(List.copyOf(views), seen + 1);
    }

    private Optional<Kept> find(UserId user) {
        return jdbc.sql("select body, version from saved_views where principal_id = ?")
                .param(user.value())
                .query((row, n) -> new Kept(JSON.readValue(row.getString("body"), VIEWS), row.getLong("version")))
                .optional();
    }

    private static void check(List<View> views) {
        if (views.size() > MOST) throw Refusal.invalid("views", "must be at most " + MOST);
        Set<String> names = new HashSet<>();
        for (int i = 0; i < views.size(); i++) {
            String at = "views[" + i + "].";
            View view = views.get(i);
            if (!fits(view.name(), LONGEST_NAME) || view.name().isBlank()) {
                throw Refusal.invalid(at + "name", "must be 1 to " + LONGEST_NAME + " plain characters");
            }
            if (!fits(view.query(), LONGEST_QUERY)) {
                throw Refusal.invalid(at + "query", "must be at most " + LONGEST_QUERY + " plain characters");
            }
            if (!names.add(view.name())) throw Refusal.invalid(at + "name", "is there twice");
        }
    }

    /** Neither control characters nor such as turn the direction of what is written. */
    private static boolean fits(String text, int longest) {
        return text.length() <= longest
                && text.codePoints()
                        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
    }
}
