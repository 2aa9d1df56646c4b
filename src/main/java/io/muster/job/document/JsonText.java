package io.muster.job.document;

import io.muster.job.JsonMistake;
import io.muster.job.document.Node.Kind;
import io.muster.job.document.Node.Place;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** Reads JSON into a tree. */
final class JsonText {
    private static final int MOST_DIGITS = 100;
    private static final int MOST_NAME = 4096;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxNumberLength(MOST_DIGITS)
                    .maxNameLength(MOST_NAME)
                    .build())
            .build();

    private JsonText() {}

    static Node read(String text) {
        TreeBuilder tree = new TreeBuilder();
        try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            JsonToken token = in.nextToken();
            if (token == null) {
                return tree.root();
            }
            int depth = 0;
            do {
                tell(tree, token, in);
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                token = depth == 0 ? null : in.nextToken();
            } while (token != null);
            if (in.nextToken() != null) {
                throw new BrokenText("syntax", "something stands after the document", place(in.currentTokenLocation()));
            }
            return tree.root();
        } catch (JacksonException e) {
            throw broken(text, e);
        }
    }

    /** In words of our own; what the parser refuses besides are bounds. */
    private static BrokenText broken(String text, JacksonException e) {
        return JsonMistake.in(text)
                .map(m -> new BrokenText(m.code(), m.message(), new Place(m.line(), m.column())))
                .orElseGet(() -> new BrokenText(
                        "too-large",
                        "a number has more than %d digits, or a name more than %d characters"
                                .formatted(MOST_DIGITS, MOST_NAME),
                        e.getLocation() == null ? null : place(e.getLocation())));
    }

    private static void tell(TreeBuilder tree, JsonToken token, JsonParser in) {
        Place at = place(in.currentTokenLocation());
        switch (token) {
            case START_OBJECT -> tree.begin(true, at);
            case START_ARRAY -> tree.begin(false, at);
            case END_OBJECT, END_ARRAY -> tree.end();
            case PROPERTY_NAME -> tree.name(in.getString(), at);
            case VALUE_STRING -> tree.scalar(Kind.TEXT, in.getString(), at);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> tree.scalar(Kind.NUMBER, in.getString(), at);
            case VALUE_TRUE, VALUE_FALSE -> tree.scalar(Kind.BOOLEAN, in.getString(), at);
            case VALUE_NULL -> tree.scalar(Kind.NULL, "null", at);
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> throw new BrokenText("syntax", "this is no JSON", at);
        }
    }

    private static Place place(TokenStreamLocation at) {
        return new Place(Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
    }
}
