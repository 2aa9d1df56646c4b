package io.muster.job;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a document as YAML the way people do: small maps and lists on one line, scripts as blocks, quotes only where a
 * plain value would mean something else.
 */
final class DocumentYaml {
    private static final int LINE = 100;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9/._@+-]*(?::[A-Za-z0-9/._@+-]+)*");
    private static final Pattern AMOUNT =
            Pattern.compile("[0-9]+(?:\\.[0-9]+)?(?:m|k|M|G|T|P|[KMGTPE]i|GB)|(?:[0-9]+[dhms])+");
    private static final Pattern WORD = Pattern.compile("(?i)true|false|yes|no|on|off|y|n|null|nan|inf");

    private DocumentYaml() {}

    static String of(ObjectNode document) {
        StringBuilder out = new StringBuilder();
        fields(document, 0, out);
        return out.toString();
    }

    private static void fields(ObjectNode object, int indent, StringBuilder out) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            out.repeat(' ', indent).append(scalar(field.getKey())).append(':');
            value(field.getValue(), indent, out);
        }
    }

    private static void value(JsonNode value, int indent, StringBuilder out) {
        if (isBlock(value)) {
            block(value.asString(), indent, out);
            return;
        }
        String line = hasBlock(value) ? null : flow(value);
        if (line != null && indent + line.length() <= LINE || !value.isContainer() || value.isEmpty()) {
            out.append(' ').append(flow(value)).append('\n');
        } else if (value instanceof ObjectNode object) {
            out.append('\n');
            fields(object, indent + 2, out);
        } else {
            out.append('\n');
            items((ArrayNode) value, indent, out);
        }
    }

    private static void items(ArrayNode array, int indent, StringBuilder out) {
        for (JsonNode item : array) {
            String line = hasBlock(item) ? null : flow(item);
            if (line != null && (indent + line.length() <= LINE || !item.isContainer())) {
                out.repeat(' ', indent).append("- ").append(line).append('\n');
            } else if (item instanceof ObjectNode object && !object.isEmpty()) {
                int from = out.length();
                fields(object, indent + 2, out);
                out.setCharAt(from + indent, '-');
            } else if (item instanceof ArrayNode inner) {
                int from = out.length();
                items(inner, indent + 2, out);
                out.setCharAt(from + indent, '-');
            } else {
                out.repeat(' ', indent).append('-');
                value(item, indent, out);
            }
        }
    }

    private static String flow(JsonNode value) {
        return switch (value) {
            case ObjectNode object ->
                object.properties().stream()
                        .map(f -> scalar(f.getKey()) + ": " + flow(f.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case ArrayNode array ->
                array.valueStream().map(DocumentYaml::flow).collect(Collectors.joining(", ", "[", "]"));
            case JsonNode v when v.isString() -> scalar(v.asString());
            case JsonNode v -> v.toString();
        };
    }

    private static String scalar(String text) {
        boolean plain = (PLAIN.matcher(text).matches() || AMOUNT.matcher(text).matches())
                && !WORD.matcher(text).matches();
        return plain ? text : quoted(text);
    }

    /** JSON's quotes are YAML's too, with line and direction marks escaped. */
    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                default -> {
                    boolean surrogate = c >= 0xD800 && c <= 0xDFFF;
                    if (c < 0x20 || c >= 0x7F && c < 0xA0 || c >= 0x2000 && c < 0x2070 || c >= 0xFE00 && !surrogate) {
                        out.append("\\u%04X".formatted(c));
                    } else {
                        out.append((char) c);
                    }
                }
            }
        });
        return out.append('"').toString();
    }

    private static boolean hasBlock(JsonNode value) {
        return isBlock(value) || value.isContainer() && value.valueStream().anyMatch(DocumentYaml::hasBlock);
    }

    /** Several lines that a literal block keeps as they are. */
    private static boolean isBlock(JsonNode value) {
        if (!value.isString()) {
            return false;
        }
        String text = value.asString();
        return text.indexOf('\n') > 0
                && !text.startsWith(" ")
                && !text.endsWith("\n\n")
                && text.chars().allMatch(c -> c == '\n' || c >= 0x20 && c < 0x7F || c >= 0xA0 && c < 0x2000);
    }

    private static void block(String text, int indent, StringBuilder out) {
        out.append(text.endsWith("\n") ? " |\n" : " |-\n");
        text.lines().forEach(line -> {
            if (!line.isEmpty()) {
                out.repeat(' ', indent + 2).append(line);
            }
            out.append('\n');
        });
    }
}
