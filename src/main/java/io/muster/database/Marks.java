package io.muster.database;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Where every counter stood at one instant, as one text of the database's. */
final class Marks {
    /** One row with one column. */
    static final String SQL =
            "select string_agg(concat_ws(' ', name, revision, writer, mine), ',') as marks from revision_mark";

    private final Map<String, Mark> byTable = new HashMap<>();

    private Marks() {}

    static Marks parse(String text) {
        var marks = new Marks();
        for (String each : text.split(",")) {
            String[] parts = each.split(" ");
            marks.byTable.put(parts[0], new Mark(Long.parseLong(parts[1]), parts[2], parts[3].equals("t")));
        }
        return marks;
    }

    /** Of a value that is made of several tables. */
    Mark of(List<String> tables) {
        Mark all = new Mark(0, "", false);
        for (String table : tables) {
            Mark one = Objects.requireNonNull(byTable.get(table), () -> table + " is no counter in revision_mark");
            all = new Mark(
                    all.revision + one.revision, all.writer + " " + one.writer, all.uncommitted || one.uncommitted);
        }
        return all;
    }

    /**
     * @param writer the transactions that wrote it: a counter may be drawn twice when a transaction rolls back
     * @param uncommitted written by the transaction that looks
     */
    record Mark(long revision, String writer, boolean uncommitted) {
        boolean sameAs(Mark other) {
            return revision == other.revision && writer.equals(other.writer);
        }
    }
}
