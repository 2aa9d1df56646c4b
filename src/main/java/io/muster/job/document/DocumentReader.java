package io.muster.job.document;

import io.muster.job.DocumentFault;
import io.muster.job.DocumentText;
import io.muster.job.document.Node.Fields;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads a document: text into a tree, a tree into a draft. */
public final class DocumentReader {
    private DocumentReader() {}

    /** A text as a tree, or why it has none. */
    public sealed interface Parsed {
        record Tree(Fields root) implements Parsed {}

        record Broken(DocumentFault fault) implements Parsed {}
    }

    /** A tree as a draft; {@code faults} says whether it is complete and where its fields stand. */
    public record Read(Draft draft, Faults faults) {}

    public static Parsed parse(DocumentText text) {
        byte[] bytes = text.bytes();
        if (bytes.length > DocumentText.MOST_BYTES) {
            return new Parsed.Broken(new DocumentFault(
                    "", "too-large", "must have at most %d bytes".formatted(DocumentText.MOST_BYTES), null, null));
        }
        try {
            String decoded = decode(bytes);
            Node root = text.format() == DocumentText.Format.JSON ? JsonText.read(decoded) : YamlText.read(decoded);
            return root instanceof Fields fields
                    ? new Parsed.Tree(fields)
                    : new Parsed.Broken(
                            new BrokenText("wrong-type", "must be a map, not " + root.what(), root.at()).fault());
        } catch (BrokenText e) {
            return new Parsed.Broken(e.fault());
        }
    }

    public static Read read(Fields root) {
        Faults faults = new Faults();
        Draft draft = new DraftReader(new FieldReader(root, "", faults), faults).read();
        return new Read(draft, faults);
    }

    /** Convenience for tests and for callers that want the faults only. */
    public static List<DocumentFault> faults(DocumentText text) {
        return switch (parse(text)) {
            case Parsed.Broken(DocumentFault fault) -> List.of(fault);
            case Parsed.Tree(Fields root) -> read(root).faults().list();
        };
    }

    private static String decode(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new BrokenText("encoding", "must be UTF-8", null);
        }
    }
}
