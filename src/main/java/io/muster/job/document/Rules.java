package io.muster.job.document;

import io.muster.model.TeamPath;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** What texts of a document must look like; each rule gives what is wrong, or nothing. */
final class Rules {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?");
    private static final Pattern SLUG = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern GROUP = Pattern.compile("[a-z]([a-z0-9-]{0,18}[a-z0-9])?");
    private static final Pattern GPU_TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._@%+-]+)+");
    private static final Pattern ENV_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?");
    private static final int LONGEST_PATH = 512;
    private static final int LONGEST_LABEL = 128;

    private Rules() {}

    static Optional<String> name(String v) {
        return match(NAME, v, "must be at most 63 letters, digits and -, with no - at either end");
    }

    static Optional<String> slug(String v) {
        return match(SLUG, v, "must be at most 63 small letters, digits and -, with no - at either end");
    }

    static Optional<String> group(String v) {
        return match(GROUP, v, "must be at most 20 small letters, digits and -, beginning with a letter");
    }

    static Optional<String> team(String v) {
        return TeamPath.isValid(v) ? Optional.empty() : Optional.of("must be a path of teams such as research/vision");
    }

    static Optional<String> gpuType(String v) {
        return match(GPU_TYPE, v, "must be the name of a GPU type such as H100-SXM");
    }

    /** An absolute path with no tricks in it. */
    static Optional<String> path(String v) {
        if (v.length() > LONGEST_PATH
                || !PATH.matcher(v).matches()
                || v.contains("/../")
                || v.endsWith("/..")
                || v.contains("/./")
                || v.endsWith("/.")) {
            return Optional.of(
                    "must be an absolute path of at most %d letters, digits and ._@%%+-, without . and .. as parts"
                            .formatted(LONGEST_PATH));
        }
        return Optional.empty();
    }

    /** Where something may be mounted: not over what the container itself needs. */
    static Optional<String> mountPath(String v) {
        Optional<String> wrong = path(v);
        if (wrong.isEmpty() && Pattern.matches("/(proc|sys|dev|etc|bin|sbin|lib|lib64|usr|var/run|run)(/.*)?", v)) {
            return Optional.of("must not lie under /proc, /sys, /dev, /etc, /run or the system's own folders");
        }
        return wrong;
    }

    static Optional<String> envName(String v) {
        if (!ENV_NAME.matcher(v).matches()) {
            return Optional.of("must be at most 128 letters, digits and _, not beginning with a digit");
        }
        String upper = v.toUpperCase(Locale.ROOT);
        return upper.startsWith("MUSTER_") || upper.startsWith("NVIDIA_")
                ? Optional.of("must not begin with MUSTER_ or NVIDIA_: those are set by the platform")
                : Optional.empty();
    }

    static Optional<String> labelName(String v) {
        return match(LABEL, v, "must be at most 63 letters, digits and ._/-, with a letter or digit at either end");
    }

    static Optional<String> labelValue(String v) {
        return v.length() > LONGEST_LABEL
                ? Optional.of("must have at most %d characters".formatted(LONGEST_LABEL))
                : Texts.lineFault(v);
    }

    static Optional<String> image(String v) {
        return ImageName.parse(v).isPresent()
                ? Optional.empty()
                : Optional.of("must be an image such as images.example/team/train:1.4");
    }

    /** Text for a process: lines allowed, at most {@code longest} characters. */
    static Function<String, Optional<String>> argument(int longest) {
        return v -> v.length() > longest
                ? Optional.of("must have at most %d characters".formatted(longest))
                : Texts.linesFault(v);
    }

    private static Optional<String> match(Pattern pattern, String v, String otherwise) {
        return pattern.matcher(v).matches() ? Optional.empty() : Optional.of(otherwise);
    }
}
