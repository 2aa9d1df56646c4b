package io.muster.job.document;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** A value of a document, the same for JSON and YAML; immutable, so that an anchor of YAML is one node used twice. */
public sealed interface Node {

    /** Where it begins, or null when it was not read from text. */
    @Nullable Place at();

    /** A line and a column, both from 1. */
    record Place(int line, int column) {}

    /** What a plain value is. */
    enum Kind {
        TEXT,
        NUMBER,
        BOOLEAN,
        NULL
    }

    /** A plain value; {@code text} as written, for a number its digits. */
    record Scalar(Kind kind, String text, @Nullable Place at) implements Node {}

    record Items(List<Node> items, @Nullable Place at) implements Node {
        public Items {
            items = List.copyOf(items);
        }
    }

    /** Fields in the order in which they stand. */
    record Fields(
            SequencedMap<String, Field> fields, @Nullable Place at) implements Node {
        public Fields {
            fields = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(fields));
        }
    }

    /** A field's value and where its name stands. */
    record Field(Node value, @Nullable Place name) {}

    /** What kind of thing it is, for people. */
    default String what() {
        return switch (this) {
            case Items i -> "a list";
            case Fields f -> "a map";
            case Scalar s ->
                switch (s.kind()) {
                    case TEXT -> "text";
                    case NUMBER -> "a number";
                    case BOOLEAN -> "true or false";
                    case NULL -> "nothing";
                };
        };
    }
}
