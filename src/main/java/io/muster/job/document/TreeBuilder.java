package io.muster.job.document;

import io.muster.job.DocumentText;
import io.muster.job.document.Node.Field;
import io.muster.job.document.Node.Fields;
import io.muster.job.document.Node.Items;
import io.muster.job.document.Node.Kind;
import io.muster.job.document.Node.Place;
import io.muster.job.document.Node.Scalar;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds a tree from what a reader tells, without recursion. Depth, the number of values and the length of all text are
 * bounded as if every alias were written out, so that a bomb of aliases is refused before it is expanded.
 */
final class TreeBuilder {
    private static final int MOST_DEPTH = 24;
    private static final int MOST_VALUES = 50_000;
    private static final long MOST_TEXT = 2L * DocumentText.MOST_BYTES;

    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<Node, Size> sizes = new IdentityHashMap<>();
    private @Nullable Node root;

    /** What a value weighs with all that is in it. */
    private record Size(long values, long text) {
        Size plus(Size other) {
            return new Size(values + other.values, text + other.text);
        }
    }

    /** A list or map that is still being read. */
    private static final class Open {
        private final Place at;
        private final boolean map;
        private final List<Node> items = new ArrayList<>();
        private final SequencedMap<String, Field> fields = new LinkedHashMap<>();
        private Size size = new Size(1, 0);
        private @Nullable String name;
        private @Nullable Place nameAt;

        Open(boolean map, Place at) {
            this.map = map;
            this.at = at;
        }

        String path() {
            return map ? (name == null ? "" : name) : "[" + items.size() + "]";
        }
    }

    void begin(boolean map, Place at) {
        if (open.size() >= MOST_DEPTH) {
            throw new BrokenText("too-deep", "lists and maps stand more than " + MOST_DEPTH + " deep", at);
        }
        open.push(new Open(map, at));
    }

    /** Ends the innermost list or map, and gives it. */
    Node end() {
        Open done = open.pop();
        Node node = done.map ? new Fields(done.fields, done.at) : new Items(done.items, done.at);
        add(node, done.size);
        return node;
    }

    /** True while the next plain value of the innermost map is a name. */
    boolean expectsName() {
        Open inner = open.peek();
        return inner != null && inner.map && inner.name == null;
    }

    void name(String name, Place at) {
        Open inner = open.element();
        if (inner.fields.containsKey(name)) {
            inner.name = name;
            throw new BrokenText(path(), "duplicate-field", "the field stands twice", at);
        }
        inner.name = name;
        inner.nameAt = at;
    }

    Node scalar(Kind kind, String text, Place at) {
        Node node = new Scalar(kind, text, at);
        add(node, new Size(1, text.length()));
        return node;
    }

    /** Uses a finished node once more. */
    void again(Node node) {
        add(node, sizes.getOrDefault(node, new Size(1, 0)));
    }

    Node root() {
        if (root == null) {
            throw new BrokenText("empty", "the document is empty", new Place(1, 1));
        }
        return root;
    }

    private void add(Node node, Size size) {
        sizes.put(node, size);
        Open inner = open.peek();
        if (inner == null) {
            root = node;
            return;
        }
        inner.size = inner.size.plus(size);
        if (inner.size.values() > MOST_VALUES || inner.size.text() > MOST_TEXT) {
            throw new BrokenText("too-large", "the document is too large when its aliases are written out", node.at());
        }
        if (inner.map) {
            String name = inner.name;
            if (name == null) {
                throw new BrokenText(path(), "not-a-name", "the name of a field must be text", node.at());
            }
            inner.fields.put(name, new Field(node, inner.nameAt));
            inner.name = null;
        } else {
            inner.items.add(node);
        }
    }

    private String path() {
        StringBuilder path = new StringBuilder();
        for (Open each : open.reversed()) {
            String part = each.path();
            if (each.map && !path.isEmpty()) {
                path.append('.');
            }
            path.append(part);
        }
        return path.toString();
    }
}
