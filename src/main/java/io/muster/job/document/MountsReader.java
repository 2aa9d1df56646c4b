package io.muster.job.document;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads what a document mounts: volumes of the team, and scratch space. */
final class MountsReader {
    private static final int MOST_MOUNTS = 32;
    private static final long MIB = 1L << 20;
    private static final long MOST_BYTES = 1L << 50;

    private final FieldReader root;

    MountsReader(FieldReader root) {
        this.root = root;
    }

    List<Draft.Mount> read() {
        List<FieldReader> listed = root.objects("data", MOST_MOUNTS);
        List<Draft.Mount> mounts = new ArrayList<>();
        Set<String> places = new HashSet<>();
        for (FieldReader each : listed == null ? List.<FieldReader>of() : listed) {
            each.notYet("fetch", "secret");
            String volume = each.text("volume", Rules::slug);
            Long scratch = each.bytes("scratch", MIB, MOST_BYTES);
            String at = each.required("at", each.text("at", Rules::mountPath));
            Boolean readOnly = each.flag("readOnly");
            if (each.has("volume") == each.has("scratch") && !each.has("fetch") && !each.has("secret")) {
                each.fault("volume", "either-or", "exactly one of volume and scratch is needed");
            }
            if (each.has("scratch") && Boolean.TRUE.equals(readOnly)) {
                each.fault("readOnly", "either-or", "makes no sense of scratch space");
            }
            if (at != null && !places.add(at)) {
                each.fault("at", "duplicate", "two things are mounted there");
            }
            each.finish();
            if (at != null && (volume == null) != (scratch == null)) {
                mounts.add(new Draft.Mount(each.path("").replaceAll("\\.$", ""), volume, scratch, at, readOnly));
            }
        }
        return mounts;
    }
}
