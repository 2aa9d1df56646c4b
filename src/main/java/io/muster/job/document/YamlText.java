package io.muster.job.document;

import io.muster.job.DocumentText;
import io.muster.job.document.Node.Kind;
import io.muster.job.document.Node.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML 1.2 into a tree, from the events of the parser: no tag is obeyed, an alias is one node used twice, and
 * plain values mean what the core schema says ({@code yes} is text, {@code 0x10} is refused as a number later).
 */
final class YamlText {
    private static final Pattern NUMBER = Pattern.compile(
            "[-+]?(?:0|[0-9][0-9]*)(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\\.[0-9]+(?:[eE][-+]?[0-9]+)?"
                    + "|0x[0-9a-fA-F]+|0o[0-7]+|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)");
    private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");
    private static final Pattern NULL = Pattern.compile("|~|null|Null|NULL");

    private final TreeBuilder tree = new TreeBuilder();
    private final Map<Anchor, Node> anchors = new HashMap<>();
    private final java.util.ArrayDeque<Optional<Anchor>> openAnchors = new java.util.ArrayDeque<>();
    private int documents;

    private YamlText() {}

    static Node read(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(DocumentText.MOST_BYTES + 1)
                .setParseComments(false)
                .setLabel("document")
                .build();
        YamlText reading = new YamlText();
        try {
            for (Event event : new Parse(settings).parseString(text)) {
                reading.take(event);
            }
            return reading.tree.root();
        } catch (MarkedYamlEngineException e) {
            throw new BrokenText("syntax", problem(e), place(e.getProblemMark().or(e::getContextMark)));
        } catch (ReaderException e) {
            throw new BrokenText(
                    "control-character", "a character that no text may have", place(text, e.getPosition()));
        } catch (YamlEngineException e) {
            throw new BrokenText("syntax", "this is no YAML", new Place(1, 1));
        }
    }

    private void take(Event event) {
        Place at = place(event.getStartMark());
        if (event instanceof NodeEvent && tree.expectsName()) {
            name(event, at);
            return;
        }
        switch (event.getEventId()) {
            case DocumentStart -> {
                if (++documents > 1) {
                    throw new BrokenText("syntax", "one document only: a second one begins here", at);
                }
            }
            case MappingStart -> begin((CollectionStartEvent) event, true, at);
            case SequenceStart -> begin((CollectionStartEvent) event, false, at);
            case MappingEnd, SequenceEnd -> keep(openAnchors.pop(), tree.end());
            case Scalar -> scalar((ScalarEvent) event, at);
            case Alias -> tree.again(anchored((AliasEvent) event, at));
            case StreamStart, StreamEnd, DocumentEnd, Comment -> {}
        }
    }

    private void name(Event event, Place at) {
        if (event instanceof ScalarEvent scalar && scalar.getAnchor().isEmpty()) {
            refuseTag(scalar.getTag(), at);
            tree.name(scalar.getValue(), at);
        } else {
            throw new BrokenText("not-a-name", "the name of a field must be plain text", at);
        }
    }

    private void begin(CollectionStartEvent start, boolean map, Place at) {
        refuseTag(start.getTag(), at);
        openAnchors.push(start.getAnchor());
        tree.begin(map, at);
    }

    private void scalar(ScalarEvent scalar, Place at) {
        refuseTag(scalar.getTag(), at);
        keep(
                scalar.getAnchor(),
                tree.scalar(scalar.isPlain() ? kind(scalar.getValue()) : Kind.TEXT, value(scalar), at));
    }

    private static String value(ScalarEvent scalar) {
        return scalar.isPlain() && kind(scalar.getValue()) == Kind.BOOLEAN
                ? scalar.getValue().toLowerCase(java.util.Locale.ROOT)
                : scalar.getValue();
    }

    private void keep(Optional<Anchor> anchor, Node node) {
        anchor.ifPresent(name -> anchors.put(name, node));
    }

    private Node anchored(AliasEvent alias, Place at) {
        Node node = anchors.get(alias.getAlias());
        if (node == null) {
            throw new BrokenText("syntax", "the alias *" + alias.getAlias() + " names nothing before it", at);
        }
        return node;
    }

    private static Kind kind(String plain) {
        if (NULL.matcher(plain).matches()) {
            return Kind.NULL;
        }
        if (BOOLEAN.matcher(plain).matches()) {
            return Kind.BOOLEAN;
        }
        return plain.length() <= 100 && NUMBER.matcher(plain).matches() ? Kind.NUMBER : Kind.TEXT;
    }

    private static void refuseTag(Optional<String> tag, Place at) {
        if (tag.isPresent()) {
            throw new BrokenText("tag", "tags (!...) are not allowed", at);
        }
    }

    private static String problem(MarkedYamlEngineException e) {
        @Nullable String problem = e.getProblem();
        return problem == null ? "this is no YAML" : YamlWords.of(problem);
    }

    private static Place place(Optional<Mark> mark) {
        return mark.map(m -> new Place(m.getLine() + 1, m.getColumn() + 1)).orElse(new Place(1, 1));
    }

    private static Place place(String text, int position) {
        int end = Math.min(position, text.length());
        int line =
                1 + (int) text.substring(0, end).chars().filter(c -> c == '\n').count();
        return new Place(line, end - text.lastIndexOf('\n', end - 1));
    }
}
