package io.muster.job.document;

import io.muster.job.document.Node.Field;
import io.muster.job.document.Node.Fields;
import io.muster.job.document.Node.Items;
import io.muster.job.document.Node.Kind;
import io.muster.job.document.Node.Scalar;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Turns trees into JSON values and back, and merges a patch into one. Depth was bounded when the tree was read. */
public final class Trees {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Trees() {}

    public static ObjectNode toJson(Fields fields) {
        ObjectNode object = JSON.objectNode();
        fields.fields().forEach((name, field) -> object.set(name, value(field.value())));
        return object;
    }

    /** A tree without places. */
    public static Fields fromJson(ObjectNode object) {
        SequencedMap<String, Field> fields = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> each : object.properties()) {
            fields.put(each.getKey(), new Field(node(each.getValue()), null));
        }
        return new Fields(fields, null);
    }

    /** RFC 7396: null removes, maps merge, everything else replaces. */
    public static Fields merge(Fields target, Fields patch) {
        SequencedMap<String, Field> merged = new LinkedHashMap<>(target.fields());
        patch.fields().forEach((name, field) -> {
            if (isNull(field.value())) {
                merged.remove(name);
            } else if (field.value() instanceof Fields inner) {
                Field present = merged.get(name);
                Fields into = present != null && present.value() instanceof Fields f
                        ? f
                        : new Fields(new LinkedHashMap<>(), null);
                merged.put(name, new Field(merge(into, inner), null));
            } else {
                merged.put(name, new Field(field.value(), null));
            }
        });
        return new Fields(merged, null);
    }

    private static boolean isNull(Node node) {
        return node instanceof Scalar(Kind kind, var text, var at) && kind == Kind.NULL;
    }

    private static JsonNode value(Node node) {
        return switch (node) {
            case Fields fields -> toJson(fields);
            case Items(var items, var at) -> {
                ArrayNode array = JSON.arrayNode(items.size());
                items.forEach(each -> array.add(value(each)));
                yield array;
            }
            case Scalar(Kind kind, String text, var at) ->
                switch (kind) {
                    case TEXT -> JSON.stringNode(text);
                    case BOOLEAN -> JSON.booleanNode(text.equals("true"));
                    case NULL -> JSON.nullNode();
                    case NUMBER -> number(text);
                };
        };
    }

    private static JsonNode number(String text) {
        try {
            BigDecimal number = new BigDecimal(text);
            return number.scale() <= 0 && number.precision() - number.scale() <= 18
                    ? JSON.numberNode(number.longValueExact())
                    : JSON.numberNode(number);
        } catch (NumberFormatException e) {
            return JSON.stringNode(text);
        }
    }

    private static Node node(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> fromJson(object);
            case ArrayNode array ->
                new Items(array.valueStream().map(Trees::node).toList(), null);
            case JsonNode v when v.isString() -> new Scalar(Kind.TEXT, v.asString(), null);
            case JsonNode v when v.isBoolean() -> new Scalar(Kind.BOOLEAN, v.asString(), null);
            case JsonNode v when v.isNumber() -> new Scalar(Kind.NUMBER, v.asString(), null);
            case JsonNode v -> new Scalar(Kind.NULL, "null", null);
        };
    }
}
