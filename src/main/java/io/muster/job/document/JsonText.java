package io.muster.job.document;

import io.muster.job.document.Node.Kind;
import io.muster.job.document.Node.Place;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** Reads JSON into a tree. */
final class JsonText {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxNumberLength(100)
                    .maxNameLength(4096)
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
        } catch (StreamReadException e) {
            throw new BrokenText("syntax", firstLine(e.getOriginalMessage()), place(e.getLocation()));
        } catch (tools.jackson.core.JacksonException e) {
            throw new BrokenText("syntax", firstLine(e.getOriginalMessage()), place(e.getLocation()));
        }
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

    private static String firstLine(String message) {
        String first = message.lines().findFirst().orElse("this is no JSON");
        return first.length() <= 300 ? first : first.substring(0, 300);
    }
}
