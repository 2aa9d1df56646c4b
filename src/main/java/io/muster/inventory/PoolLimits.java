package io.muster.inventory;

import io.muster.model.GpuTypeId;
import io.muster.model.PodProfile;
import io.muster.model.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What a pool and a GPU type may look like. */
final class PoolLimits {
    private static final Pattern SLUG = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern LABEL_KEY =
            Pattern.compile("([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");
    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern CAPABILITY = Pattern.compile("[A-Z][A-Z_]{1,40}");
    private static final Set<String> POD_SECURITY = Set.of("restricted", "baseline", "privileged");
    private static final Set<String> PULL_POLICIES = Set.of("Always", "IfNotPresent", "Never");
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final int MOST_LEVELS = 8;
    private static final int MOST_ENTRIES = 64;
    private static final long MOST_MICROS = 1_000_000_000_000L;

    private PoolLimits() {}

    static boolean isTypeName(GpuTypeId id) {
        return TYPE.matcher(id.value()).matches();
    }

    static void check(Pool pool) {
        need(SLUG.matcher(pool.id().value()).matches(), "id", "must be lower-case letters, digits or '-', at most 63");
        String name = pool.displayName();
        need(!name.isBlank() && name.length() <= 120, "displayName", "must be 1 to 120 characters");
        need(name.chars().noneMatch(Character::isISOControl), "displayName", "must not contain control characters");
        need(pool.selector().size() <= MOST_ENTRIES, "selector", "must have at most " + MOST_ENTRIES + " labels");
        pool.selector().forEach((key, value) -> {
            need(LABEL_KEY.matcher(key).matches(), "selector." + key, "is no label key");
            need(LABEL_VALUE.matcher(value).matches(), "selector." + key, "is no label value");
        });
        need(
                pool.microsPerGpuHour() >= 0 && pool.microsPerGpuHour() <= MOST_MICROS,
                "microsPerGpuHour",
                "must be between 0 and " + MOST_MICROS);
        checkLevels(pool.levels());
        check(pool.profile());
    }

    private static void checkLevels(List<Pool.Level> levels) {
        need(!levels.isEmpty() && levels.size() <= MOST_LEVELS, "levels", "must be 1 to " + MOST_LEVELS);
        need(levels.getLast().name().equals("node"), "levels", "must end with the level node");
        var names = new HashSet<String>();
        for (int i = 0; i < levels.size(); i++) {
            Pool.Level level = levels.get(i);
            String at = "levels[" + i + "].";
            need(SLUG.matcher(level.name()).matches(), at + "name", "must be lower-case letters, digits or '-'");
            need(names.add(level.name()), at + "name", "is there twice");
            need(LABEL_KEY.matcher(level.label()).matches(), at + "label", "is no label key");
        }
    }

    private static void check(PodProfile profile) {
        need(profile.tolerations().size() <= MOST_ENTRIES, "profile.tolerations", "are too many");
        for (int i = 0; i < profile.tolerations().size(); i++) {
            PodProfile.Toleration t = profile.tolerations().get(i);
            String at = "profile.tolerations[" + i + "].";
            need(t.key().isEmpty() || LABEL_KEY.matcher(t.key()).matches(), at + "key", "is no taint key");
            need(Set.of("Exists", "Equal").contains(t.operator()), at + "operator", "must be Exists or Equal");
            need(!t.key().isEmpty() || t.operator().equals("Exists"), at + "operator", "must be Exists without a key");
            need(t.effect() == null || EFFECTS.contains(t.effect()), at + "effect", "must be one of " + EFFECTS);
        }
        need(POD_SECURITY.contains(profile.podSecurity()), "profile.podSecurity", "must be one of " + POD_SECURITY);
        need(
                PULL_POLICIES.contains(profile.imagePullPolicy()),
                "profile.imagePullPolicy",
                "must be one of " + PULL_POLICIES);
        need(profile.env().size() <= MOST_ENTRIES, "profile.env", "must have at most " + MOST_ENTRIES + " variables");
        profile.env().forEach((key, value) -> {
            need(VARIABLE.matcher(key).matches(), "profile.env." + key, "is no variable name");
            need(value.length() <= 4096, "profile.env." + key, "must be at most 4096 characters");
        });
        profile.addCapabilities()
                .forEach(
                        c -> need(CAPABILITY.matcher(c).matches(), "profile.addCapabilities", c + " is no capability"));
        need(id(profile.runAsUser()), "profile.runAsUser", "must not be negative");
        need(id(profile.runAsGroup()), "profile.runAsGroup", "must not be negative");
    }

    private static boolean id(@org.jspecify.annotations.Nullable Long id) {
        return id == null || id >= 0;
    }

    /** A product means one type of one resource, so that a node's type is never a matter of luck. */
    static void check(GpuType type, List<GpuType> all) {
        need(isTypeName(type.id()), "id", "must be letters, digits, '.', '_' or '-', at most 63");
        need(type.memoryMib() > 0 && type.memoryMib() <= 16_777_216, "memoryMib", "must be 1 to 16777216");
        need(LABEL_KEY.matcher(type.resourceName()).matches(), "resourceName", "must be like nvidia.com/gpu");
        need(type.products().size() <= MOST_ENTRIES, "products", "must be at most " + MOST_ENTRIES);
        for (String product : type.products()) {
            need(!product.isBlank() && product.length() <= 63, "products", "must be 1 to 63 characters each");
            all.stream()
                    .filter(t -> !t.id().equals(type.id()))
                    .filter(t -> t.resourceName().equals(type.resourceName())
                            && t.products().contains(product))
                    .findFirst()
                    .ifPresent(t -> {
                        throw Refusal.conflict("products", product + " means " + t.id() + " already.");
                    });
        }
    }

    private static void need(boolean so, String field, String sentence) {
        if (!so) throw Refusal.invalid(field, sentence);
    }
}
