package io.muster.tenancy;

import io.muster.model.QuotaShape;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Shapes as they are stored. */
final class ShapesText {
    static final String NONE = "[]";

    private static final JsonMapper JSON = JsonMapper.shared();

    private ShapesText() {}

    static String of(List<QuotaShape> shapes) {
        return JSON.writeValueAsString(shapes.stream()
                .map(s -> new Stored(s.count(), s.level(), s.gpus()))
                .toList());
    }

    static List<QuotaShape> read(String text) {
        return JSON.readValue(text, new TypeReference<List<Stored>>() {}).stream()
                .map(s -> new QuotaShape(s.count, s.level, s.gpus))
                .toList();
    }

    /** As people read them: {@code 2 x (8 GPUs of one node)}. */
    static String shown(String text) {
        return read(text).stream()
                .map(s -> "%d x (%d GPUs of one %s)".formatted(s.count(), s.gpus(), s.level()))
                .collect(Collectors.joining(", "));
    }

    private record Stored(int count, String level, int gpus) {}
}
