package io.muster.web;

import io.muster.job.PlainDuration;
import io.muster.model.Refusal;
import io.muster.model.TeamOrder;
import io.muster.policy.HangAction;
import io.muster.policy.PolicyValues;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of a policy by name: durations as whole seconds, or written as people do. */
final class PolicyValuesForm {
    private static final RecordComponent[] FIELDS = PolicyValues.class.getRecordComponents();

    private PolicyValuesForm() {}

    static Map<String, Object> write(PolicyValues values) {
        var written = new LinkedHashMap<String, Object>();
        for (RecordComponent field : FIELDS) {
            Object value = get(field, values);
            written.put(field.getName(), shown(value));
        }
        return written;
    }

    private static Object shown(Object value) {
        if (value instanceof Duration d) return d.toSeconds();
        return value instanceof Enum<?> choice ? word(choice) : value;
    }

    /** As people write it: {@code fair-finish}. */
    static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static <E extends Enum<E>> Optional<E> choice(Class<E> of, @Nullable Object word) {
        return Arrays.stream(of.getEnumConstants())
                .filter(choice -> word(choice).equals(word))
                .findFirst();
    }

    /** What to say to a word that is none of them. */
    static <E extends Enum<E>> String choices(Class<E> of) {
        var words =
                Arrays.stream(of.getEnumConstants()).map(PolicyValuesForm::word).toList();
        return "must be " + String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
    }

    /** @param changes some of the values; an unknown name is refused */
    static PolicyValues read(PolicyValues now, Map<String, Object> changes) {
        for (String name : changes.keySet()) {
            if (Arrays.stream(FIELDS).noneMatch(f -> f.getName().equals(name))) {
                throw Refusal.invalid("values." + name, "is no value of the policy");
            }
        }
        Object[] arguments = Arrays.stream(FIELDS)
                .map(f -> changes.containsKey(f.getName()) ? parse(f, changes.get(f.getName())) : get(f, now))
                .toArray();
        return make(arguments);
    }

    private static Object parse(RecordComponent field, @Nullable Object value) {
        Class<?> type = field.getType();
        if (type == Duration.class && value instanceof Number n) return Duration.ofSeconds(n.longValue());
        if (type == Duration.class && value instanceof String text) {
            var duration = PlainDuration.parse(text);
            if (duration.isPresent()) return duration.get();
        }
        if (type == int.class && value instanceof Integer n) return n;
        if (type == double.class && value instanceof Number n) return n.doubleValue();
        if (type == HangAction.class) return choice(field, HangAction.class, value);
        if (type == TeamOrder.class) return choice(field, TeamOrder.class, value);
        throw Refusal.invalid(
                "values." + field.getName(),
                type == Duration.class ? "must be seconds, or a duration such as 10m" : "must be a number");
    }

    private static <E extends Enum<E>> E choice(RecordComponent field, Class<E> of, @Nullable Object value) {
        return choice(of, value).orElseThrow(() -> Refusal.invalid("values." + field.getName(), choices(of)));
    }

    private static Object get(RecordComponent field, PolicyValues values) {
        try {
            return field.getAccessor().invoke(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(field.toString(), e);
        }
    }

    private static PolicyValues make(Object[] arguments) {
        try {
            Class<?>[] types =
                    Arrays.stream(FIELDS).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return PolicyValues.class.getConstructor(types).newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
