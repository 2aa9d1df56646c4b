package io.muster.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class JsonMistakeTest {
    /** {@code ^} is a line end, {@code '} around a cell is the file's own. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a" 1}                 | 1 |  6 | a colon is missing
            {"a": 1^ "b": 2}        | 2 |  2 | a comma is missing
            {"a": 1,}               | 1 |  9 | a comma stands before this }
            [1,]                    | 1 |  4 | a comma stands before this ]
            {"a": }                 | 1 |  7 | a value is missing before this }
            {a: 1}                  | 1 |  2 | the name of a field stands in double quotes
            {'a': 1}                | 1 |  2 | not in single ones
            {"a": 'b'}              | 1 |  7 | not in single ones
            {"a": yes}              | 1 |  7 | a text stands in double quotes: "yes"
            {"a": True}             | 1 |  7 | in small letters
            {"a": NaN}              | 1 |  7 | NaN is no number
            {"a": -Infinity}        | 1 |  7 | -Infinity is no number
            {"a": -}                | 1 |  8 | a minus sign stands without a number
            {"a": 007}              | 1 |  7 | does not begin with 0
            {"a": 1.}               | 1 |  7 | a digit is missing after the point
            {"a": 1e}               | 1 |  7 | a digit is missing at the end
            {"a": 0x10}             | 1 |  7 | neither a number nor a text
            {"a": +1}               | 1 |  7 | begins with a digit or a minus sign
            {"a": "b^c"}            | 1 |  9 | write \\n for a new line
            {"a": "\\x"}            | 1 |  9 | after a backslash
            {"a": "\\u00g0"}        | 1 | 12 | four hexadecimal digits
            {"a": [1, 2}            | 1 | 12 | the list that begins at line 1, column 7 is still open
            {"a": {"b": 1}          | 1 | 15 | the document ends, and the map that begins at line 1, column 1
            {"a": "b                | 1 |  9 | the document ends inside the text that begins at line 1, column 7
            {"a": 1} x              | 1 | 10 | something stands after the end
            // hello                | 1 |  1 | JSON has no comments
            """)
    void theFirstMistakeIsToldInPlainWordsWithItsPlace(String text, int line, int column, String says) {
        var mistake = JsonMistake.in(text.replace('^', '\n')).orElseThrow();
        assertThat(mistake.message()).contains(says).doesNotContainIgnoringCase("jackson", "token", "javascript");
        assertThat(mistake.line()).isEqualTo(line);
        assertThat(mistake.column()).isEqualTo(column);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                " [ ] ",
                "0",
                "-0.5e+10",
                "\"\\u00e9 \\\\ \\\" \\/\"",
                "{\"a\":[1,{\"b\":null}],\"c\":true}"
            })
    void whatIsJsonHasNone(String text) {
        assertThat(JsonMistake.in(text)).isEmpty();
    }

    @Test
    void itAgreesWithTheParserOnWhatIsJson() {
        var dice = new Random(7);
        var whole = "{\"a\":[1,-2.5e3,\"x\\n\\u0041\"],\"b\":{\"c\":null,\"d\":[true,false,{}]},\"e\":\"\"}";
        var spare = "{}[]\",:\\ \n-+.eE0123456789truefalsn/#'";
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder(whole);
            for (int n = dice.nextInt(3); n >= 0; n--) {
                int at = dice.nextInt(text.length());
                if (dice.nextBoolean()) text.deleteCharAt(at);
                else text.setCharAt(at, spare.charAt(dice.nextInt(spare.length())));
            }
            assertThat(JsonMistake.in(text.toString()).isEmpty())
                    .as(text.toString())
                    .isEqualTo(parses(text.toString()));
        }
    }

    private static boolean parses(String text) {
        try (var in = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            if (in.nextToken() == null) return false;
            in.skipChildren();
            in.finishToken();
            return in.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }
}
