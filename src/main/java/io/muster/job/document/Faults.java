package io.muster.job.document;

import io.muster.job.DocumentFault;
import io.muster.job.document.Node.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gathers what is wrong with a document, and remembers where each field stands, so that later checks can say it. */
public final class Faults {
    private static final int MOST = 50;

    private final List<DocumentFault> faults = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();

    public void add(String field, String code, String message) {
        add(field, code, message, places.get(field));
    }

    void add(String field, String code, String message, @Nullable Place at) {
        if (faults.size() < MOST) {
            faults.add(new DocumentFault(
                    field, code, message, at == null ? null : at.line(), at == null ? null : at.column()));
        }
    }

    void found(String field, @Nullable Place at) {
        if (at != null) {
            places.put(field, at);
        }
    }

    /** True when the field stands in the text. */
    public boolean stands(String field) {
        return places.containsKey(field);
    }

    /** True when {@code field} or something in it is at fault already. */
    public boolean has(String field) {
        return faults.stream()
                .anyMatch(f -> f.field().equals(field)
                        || f.field().startsWith(field + ".")
                        || f.field().startsWith(field + "["));
    }

    public boolean none() {
        return faults.isEmpty();
    }

    public List<DocumentFault> list() {
        return List.copyOf(faults);
    }
}
