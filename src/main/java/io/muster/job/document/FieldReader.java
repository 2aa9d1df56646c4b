package io.muster.job.document;

import io.muster.job.document.Node.Field;
import io.muster.job.document.Node.Fields;
import io.muster.job.document.Node.Items;
import io.muster.job.document.Node.Kind;
import io.muster.job.document.Node.Scalar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one map, strictly: each by its type and bounds. What is wrong goes to the {@link Faults} and reads
 * as absent; a field that nobody asked for is refused by name at the end.
 */
final class FieldReader {
    private final Fields map;
    private final String path;
    private final Faults faults;
    private final ScalarReader scalars;
    private final Set<String> known = new HashSet<>();

    FieldReader(Fields map, String path, Faults faults) {
        this.map = map;
        this.path = path;
        this.faults = faults;
        this.scalars = new ScalarReader(faults);
    }

    String path(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    boolean has(String field) {
        Field found = map.fields().get(field);
        return found != null && !isNull(found.value());
    }

    void fault(String field, String code, String message) {
        faults.add(path(field), code, message);
    }

    /** Text of one line that {@code rule} accepts; the rule gives what is wrong with it. */
    @Nullable String text(String field, Function<String, Optional<String>> rule) {
        Node value = take(field);
        return value == null
                ? null
                : scalars.text(path(field), value, v -> Texts.lineFault(v).or(() -> rule.apply(v)));
    }

    /** One of some words. */
    @Nullable String word(String field, List<String> words) {
        return text(
                field,
                v -> words.contains(v) ? Optional.empty() : Optional.of("must be one of " + String.join(", ", words)));
    }

    @Nullable Integer integer(String field, int least, int most) {
        Node value = take(field);
        return value == null ? null : scalars.integer(path(field), value, least, most);
    }

    @Nullable Boolean flag(String field) {
        Node value = take(field);
        return value == null ? null : scalars.flag(path(field), value);
    }

    @Nullable Duration duration(String field, Duration least, Duration most) {
        Node value = take(field);
        return value == null ? null : scalars.duration(path(field), value, least, most);
    }

    /** Bytes, such as 512Gi. */
    @Nullable Long bytes(String field, long least, long most) {
        Node value = take(field);
        return value == null ? null : scalars.bytes(path(field), value, least, most);
    }

    /** Thousandths of a CPU from amounts such as 64, 1.5 or 500m. */
    @Nullable Long cpuMillis(String field, long most) {
        Node value = take(field);
        return value == null ? null : scalars.cpuMillis(path(field), value, most);
    }

    /** A list of texts. */
    @Nullable List<String> texts(String field, int most, Function<String, Optional<String>> rule) {
        List<Node> items = items(field, most, "text");
        if (items == null) {
            return null;
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            String text = scalars.text(path(field) + "[" + i + "]", items.get(i), rule);
            if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** A map from names to texts; both rules give what is wrong. */
    SequencedMap<String, String> map(
            String field,
            int most,
            Function<String, Optional<String>> nameRule,
            Function<String, Optional<String>> valueRule) {
        SequencedMap<String, String> values = new LinkedHashMap<>();
        Node value = take(field);
        if (value == null) {
            return values;
        }
        if (!(value instanceof Fields(var fields, var at))) {
            scalars.wrongType(path(field), value, "a map");
            return values;
        }
        if (fields.size() > most) {
            fault(field, "too-many", "must have at most %d entries, not %d".formatted(most, fields.size()));
            return values;
        }
        for (Map.Entry<String, Field> each : fields.entrySet()) {
            String where = path(field) + "." + shown(each.getKey());
            Optional<String> wrong = nameRule.apply(each.getKey());
            wrong.ifPresent(why -> faults.add(
                    where, "invalid-name", "the name " + why, each.getValue().name()));
            String text = scalars.text(where, each.getValue().value(), valueRule);
            if (text != null && wrong.isEmpty()) {
                values.put(each.getKey(), text);
            }
        }
        return values;
    }

    @Nullable FieldReader object(String field) {
        Node value = take(field);
        if (value == null) {
            return null;
        }
        if (value instanceof Fields fields) {
            return new FieldReader(fields, path(field), faults);
        }
        scalars.wrongType(path(field), value, "a map");
        return null;
    }

    @Nullable List<FieldReader> objects(String field, int most) {
        List<Node> items = items(field, most, "maps");
        if (items == null) {
            return null;
        }
        List<FieldReader> readers = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            String where = path(field) + "[" + i + "]";
            faults.found(where, items.get(i).at());
            if (items.get(i) instanceof Fields fields) {
                readers.add(new FieldReader(fields, where, faults));
            } else {
                scalars.wrongType(where, items.get(i), "a map");
            }
        }
        return readers;
    }

    /** Text, or a list of texts: {@code onText} makes the list of a single one. */
    @Nullable List<String> textOrTexts(
            String field, int most, Function<String, Optional<String>> rule, Function<String, List<String>> onText) {
        Field found = map.fields().get(field);
        if (found != null && found.value() instanceof Scalar(Kind kind, String text, var at) && kind == Kind.TEXT) {
            Node value = take(field);
            String read = value == null ? null : scalars.text(path(field), value, rule);
            return read == null ? null : onText.apply(read);
        }
        return texts(field, most, rule);
    }

    /** The value read from a field; absent and not yet complained of, it is needed. */
    <T> @Nullable T required(String field, @Nullable T value) {
        if (value == null && !faults.has(path(field))) {
            fault(field, "required", "is needed");
        }
        return value;
    }

    /** Fields that are planned; saying so is kinder than calling them unknown. */
    void notYet(String... fields) {
        for (String field : fields) {
            if (map.fields().containsKey(field)) {
                take(field);
                fault(field, "not-supported-yet", "is not supported yet");
            }
        }
    }

    /** Refuses, by name, what was never asked for. */
    void finish() {
        for (Map.Entry<String, Field> each : map.fields().entrySet()) {
            if (!known.contains(each.getKey())) {
                String near = Spelling.nearest(each.getKey(), known);
                faults.add(
                        path(shown(each.getKey())),
                        "unknown-field",
                        "there is no such field" + (near.isEmpty() ? "" : "; did you mean " + near + "?"),
                        each.getValue().name());
            }
        }
    }

    private @Nullable Node take(String field) {
        known.add(field);
        Field found = map.fields().get(field);
        if (found == null) {
            return null;
        }
        faults.found(path(field), found.value().at());
        return isNull(found.value()) ? null : found.value();
    }

    private @Nullable List<Node> items(String field, int most, String of) {
        Node value = take(field);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Items(List<Node> items, var at))) {
            scalars.wrongType(path(field), value, "a list of " + of);
            return null;
        }
        if (items.size() > most) {
            fault(field, "too-many", "must have at most %d entries, not %d".formatted(most, items.size()));
            return null;
        }
        return items;
    }

    private static boolean isNull(Node value) {
        return value instanceof Scalar(Kind kind, var text, var at) && kind == Kind.NULL;
    }

    private static String shown(String text) {
        return ScalarReader.shown(text);
    }
}
