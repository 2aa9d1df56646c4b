package io.muster.job;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a text as JSON until something is wrong with it, without keeping anything and without recursion. */
final class JsonProof {
    private static final int MOST_SHOWN = 40;
    private static final String ESCAPED = "\"\\/bfnrt";

    private final String text;
    private final Deque<Integer> open = new ArrayDeque<>();
    private int at;
    private @Nullable JsonMistake found;

    JsonProof(String text) {
        this.text = text;
    }

    /** What may stand next. */
    private enum Next {
        VALUE,
        VALUE_OR_END,
        NAME,
        NAME_OR_END,
        COMMA_OR_END,
        NOTHING
    }

    Optional<JsonMistake> mistake() {
        Next next = Next.VALUE;
        // Each turn reads at least one character, or ends it.
        while (found == null) {
            space();
            if (at == text.length()) {
                if (next != Next.NOTHING) ended();
                break;
            }
            next = switch (next) {
                case VALUE -> value();
                case VALUE_OR_END -> here() == ']' ? close() : value();
                case NAME -> name();
                case NAME_OR_END -> here() == '}' ? close() : name();
                case COMMA_OR_END -> comma();
                case NOTHING -> wrong("something stands after the end of the document");
            };
        }
        return Optional.ofNullable(found);
    }

    private Next value() {
        char c = here();
        if (c == '{' || c == '[') {
            open.push(at++);
            return c == '{' ? Next.NAME_OR_END : Next.VALUE_OR_END;
        }
        if (c == '"') return string() ? after() : Next.NOTHING;
        if (c == '-' || isDigit(c)) return number() ? after() : Next.NOTHING;
        if (Character.isLetter(c)) return word();
        return wrong(
                switch (c) {
                    case ',' -> "a value is missing before this comma";
                    case ']', '}' ->
                        before() == ','
                                ? "a comma stands before this " + c + ", and nothing follows it"
                                : "a value is missing before this " + c;
                    case ':' -> "a colon stands where a value should";
                    case '\'' -> "texts stand in double quotes, not in single ones";
                    case '+', '.' -> "a number begins with a digit or a minus sign";
                    case '/', '#' -> "JSON has no comments; YAML has";
                    default -> shown(c) + " is no beginning of a value";
                });
    }

    private Next name() {
        char c = here();
        if (c == '"') {
            if (!string()) return Next.NOTHING;
            space();
            if (at == text.length()) return ended();
            if (here() != ':') return wrong("a colon is missing between the name of the field and its value");
            at++;
            return Next.VALUE;
        }
        return wrong(
                switch (c) {
                    case '}' -> "a comma stands before this }, and nothing follows it";
                    case ',' -> "a field is missing before this comma";
                    case '\'' -> "the name of a field stands in double quotes, not in single ones";
                    case '/', '#' -> "JSON has no comments; YAML has";
                    default -> "the name of a field stands in double quotes";
                });
    }

    private Next comma() {
        char c = here();
        boolean map = text.charAt(open.element()) == '{';
        if (c == ',') {
            at++;
            return map ? Next.NAME : Next.VALUE;
        }
        if (c == (map ? '}' : ']')) return close();
        if (c == '}' || c == ']') {
            return wrong("%s closes nothing here: the %s that begins at %s is still open"
                    .formatted(c, map ? "map" : "list", place(open.element())));
        }
        return wrong("a comma is missing before this");
    }

    private Next close() {
        open.pop();
        at++;
        return after();
    }

    private Next after() {
        return open.isEmpty() ? Next.NOTHING : Next.COMMA_OR_END;
    }

    private Next word() {
        int from = at;
        while (at < text.length() && Character.isLetterOrDigit(here()) && at - from < MOST_SHOWN) at++;
        String word = text.substring(from, at);
        at = from;
        switch (word) {
            case "true", "false", "null" -> {
                at += word.length();
                return after();
            }
            case "NaN", "Infinity" -> {
                return wrong(word + " is no number that JSON has");
            }
            case "True", "TRUE", "False", "FALSE", "None", "Null", "NULL" -> {
                return wrong("true, false and null are written so, in small letters");
            }
            default -> {
                return wrong("a text stands in double quotes: \"" + word + "\"");
            }
        }
    }

    private boolean number() {
        int from = at;
        if (here() == '-') at++;
        int whole = digits();
        if (whole == 0) {
            return text.startsWith("Infinity", at)
                    ? no("-Infinity is no number that JSON has", from)
                    : no("a minus sign stands without a number");
        }
        if (whole > 1 && text.charAt(at - whole) == '0') return no("a number does not begin with 0", at - whole);
        if (at < text.length() && here() == '.') {
            at++;
            if (digits() == 0) return no("a digit is missing after the point of this number", from);
        }
        if (at < text.length() && (here() == 'e' || here() == 'E')) {
            at++;
            if (at < text.length() && (here() == '+' || here() == '-')) at++;
            if (digits() == 0) return no("a digit is missing at the end of this number", from);
        }
        if (at < text.length() && (Character.isLetterOrDigit(here()) || here() == '.')) {
            return no("this is neither a number nor a text; a text stands in double quotes", from);
        }
        return true;
    }

    private int digits() {
        int from = at;
        while (at < text.length() && isDigit(here())) at++;
        return at - from;
    }

    private boolean string() {
        int from = at++;
        while (at < text.length()) {
            char c = here();
            if (c == '"') {
                at++;
                return true;
            }
            if (c == '\\' && !escape()) return false;
            if (c < ' ') {
                return no(
                        c == '\n' || c == '\r'
                                ? "a line ends inside a text; write \\n for a new line"
                                : "%s inside a text is written as \\u%04x".formatted(shown(c), (int) c));
            }
            at++;
        }
        return no("the document ends inside the text that begins at " + place(from));
    }

    /** Stays on the last character of what is escaped. */
    private boolean escape() {
        if (at + 1 == text.length()) return no("the document ends inside a text");
        char c = text.charAt(++at);
        if (c == 'u') {
            for (int i = 0; i < 4; i++) {
                at++;
                if (at >= text.length() || Character.digit(here(), 16) < 0 || here() > 'f') {
                    at = Math.min(at, text.length() - 1);
                    return no("\\u needs four hexadecimal digits");
                }
            }
            return true;
        }
        return ESCAPED.indexOf(c) >= 0 || no("after a backslash in a text stands one of \" \\ / b f n r t u");
    }

    private Next ended() {
        if (open.isEmpty()) return wrong("the document is empty");
        boolean map = text.charAt(open.element()) == '{';
        return wrong("the document ends, and the %s that begins at %s is still open"
                .formatted(map ? "map" : "list", place(open.element())));
    }

    private Next wrong(String message) {
        no(message, at);
        return Next.NOTHING;
    }

    private boolean no(String message) {
        return no(message, at);
    }

    private boolean no(String message, int where) {
        found = new JsonMistake("syntax", message, line(where), column(where));
        return false;
    }

    private String place(int where) {
        return "line %d, column %d".formatted(line(where), column(where));
    }

    private int line(int where) {
        return 1 + (int) text.substring(0, where).chars().filter(c -> c == '\n').count();
    }

    private int column(int where) {
        return where - (where == 0 ? -1 : text.lastIndexOf('\n', where - 1));
    }

    private char here() {
        return text.charAt(at);
    }

    /** The last character before this that is no space. */
    private char before() {
        for (int i = at - 1; i >= 0; i--) {
            if (!isSpace(text.charAt(i))) return text.charAt(i);
        }
        return ' ';
    }

    private void space() {
        while (at < text.length() && isSpace(here())) at++;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static String shown(char c) {
        return c > ' ' && c < 127 ? "the character " + c : "the character U+%04X".formatted((int) c);
    }
}
