package io.muster.job.document;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The mistakes that people make in YAML, in words that say what to do; what is not known here stays as the parser says it. */
final class YamlWords {
    private static final Pattern NO_TOKEN = Pattern.compile("found character '(.+?)' that cannot start any token.*");
    private static final Pattern NOT_CLOSED = Pattern.compile("expected ',' or '([]}])', but got .*");

    private YamlWords() {}

    static String of(String problem) {
        Matcher character = NO_TOKEN.matcher(problem);
        if (character.matches()) {
            return character.group(1).contains("TAB")
                    ? "a tab stands where the line is indented; use spaces"
                    : "the character %s cannot begin a value; put the text in quotes".formatted(character.group(1));
        }
        Matcher open = NOT_CLOSED.matcher(problem);
        if (open.matches()) {
            return "a comma or %s is missing before this".formatted(open.group(1));
        }
        return switch (problem) {
            case "mapping values are not allowed here" ->
                "a colon may not stand here: the line is indented too far, or a text with a colon needs quotes";
            case "found unexpected end of stream" -> "the document ends inside a text in quotes";
            default -> problem;
        };
    }
}
