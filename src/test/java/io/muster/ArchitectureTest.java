package io.muster;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import jakarta.persistence.Entity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.modulith.core.ApplicationModules;

class ArchitectureTest {
    /** Module to the modules it may use: the table of the architecture page. {@code *} is every module. */
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("model", Set.of()),
            Map.entry("lifecycle", Set.of("model")),
            Map.entry("scheduling", Set.of("model")),
            Map.entry("gateway", Set.of("model")),
            Map.entry("forecast", Set.of("model", "scheduling")),
            Map.entry("simulation", Set.of("model", "lifecycle", "scheduling", "gateway")),
            Map.entry("simulator", Set.of("model", "lifecycle", "scheduling", "gateway", "simulation")),
            Map.entry("audit", Set.of("model")),
            Map.entry("database", Set.of()),
            Map.entry("retention", Set.of()),
            Map.entry("tenancy", Set.of("model", "audit", "database")),
            Map.entry("policy", Set.of("model", "audit", "database")),
            Map.entry("inventory", Set.of("model", "audit", "database")),
            Map.entry(
                    "job",
                    Set.of("model", "lifecycle", "tenancy", "policy", "inventory", "audit", "database", "retention")),
            Map.entry("accounting", Set.of("model", "tenancy", "job", "database", "retention")),
            Map.entry("dispatch", Set.of("model", "lifecycle", "gateway", "job", "inventory", "database", "retention")),
            Map.entry("calibration", Set.of("model", "scheduling", "forecast", "database", "retention")),
            Map.entry(
                    "cycle",
                    Set.of(
                            "model",
                            "scheduling",
                            "forecast",
                            "calibration",
                            "lifecycle",
                            "tenancy",
                            "policy",
                            "inventory",
                            "job",
                            "accounting",
                            "dispatch",
                            "database",
                            "retention")),
            Map.entry("virtual", Set.of("model", "gateway", "simulation", "database", "retention")),
            Map.entry("kubernetes", Set.of("model", "gateway")),
            Map.entry(
                    "governance",
                    Set.of(
                            "model",
                            "policy",
                            "tenancy",
                            "inventory",
                            "job",
                            "accounting",
                            "cycle",
                            "simulation",
                            "audit")),
            Map.entry("security", Set.of("model", "tenancy", "job", "audit", "database", "retention")),
            Map.entry("time", Set.of()),
            Map.entry("sample", Set.of("model", "tenancy", "policy", "inventory", "job", "security")),
            Map.entry("web", Set.of("*")));

    /** Packages outside io.muster with one user. */
    private static final Map<String, String> ONLY_IN =
            Map.of("io.fabric8..", "kubernetes", "org.quartz..", "cycle", "io.zonky..", "database");

    private static final Set<String> PURE =
            Set.of("model", "lifecycle", "scheduling", "gateway", "forecast", "simulation", "simulator");

    private static final String[] NOT_IN_PURE = {
        "org.springframework..",
        "jakarta..",
        "org.hibernate..",
        "io.fabric8..",
        "org.quartz..",
        "org.slf4j..",
        "java.sql..",
        "javax.sql..",
        "java.net.http.."
    };

    private static final Map<Class<?>, List<String>> CLOCKS_AND_DICE = Map.of(
            java.time.Instant.class, List.of("now"),
            java.time.LocalDateTime.class, List.of("now"),
            java.time.LocalDate.class, List.of("now"),
            java.time.OffsetDateTime.class, List.of("now"),
            java.time.ZonedDateTime.class, List.of("now"),
            java.time.Clock.class, List.of("systemUTC", "systemDefaultZone", "system"),
            System.class, List.of("nanoTime", "currentTimeMillis"),
            java.util.UUID.class, List.of("randomUUID"),
            Math.class, List.of("random"),
            java.util.concurrent.ThreadLocalRandom.class, List.of("current"));

    private static final JavaClasses MUSTER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.muster");

    @Test
    void modulesUseEachOthersInterfacesOnlyAndInNoCircle() {
        ApplicationModules.of(Muster.class, new ImportOption.DoNotIncludeTests())
                .verify();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void moduleUsesOnlyWhatTheTableAllows(String module) {
        assertThat(MAY_USE).as("the table of modules").containsKey(module);
        var allowed = MAY_USE.get(module);
        if (allowed.contains("*")) return;

        check(noClasses()
                .that(resideInAPackage(in(module)))
                .should()
                .dependOnClassesThat(resideInAPackage("io.muster..")
                        .and(not(resideInAPackage(in(module))))
                        .and(not(resideInAnyPackage(
                                allowed.stream().map(ArchitectureTest::in).toArray(String[]::new))))));
    }

    @ParameterizedTest
    @MethodSource("pureModules")
    void pureModuleKnowsNoFramework(String module) {
        check(noClasses()
                .that(resideInAPackage(in(module)))
                .should()
                .dependOnClassesThat(resideInAnyPackage(NOT_IN_PURE)));
    }

    @ParameterizedTest
    @MethodSource("pureModules")
    void pureModuleReadsNoClockAndRollsNoDice(String module) {
        CLOCKS_AND_DICE.forEach((owner, methods) -> methods.forEach(method -> check(noClasses()
                .that(resideInAPackage(in(module)))
                .should()
                .accessTargetWhere(new DescribedPredicate<>(owner.getSimpleName() + "." + method) {
                    @Override
                    public boolean test(JavaAccess<?> access) {
                        return access.getTargetOwner().isEquivalentTo(owner)
                                && access.getName().equals(method);
                    }
                }))));
        check(noClasses()
                .that(resideInAPackage(in(module)))
                .should()
                .callConstructor(java.util.Random.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.security.SecureRandom.class));
    }

    @Test
    void librariesStayWhereTheyBelong() {
        ONLY_IN.forEach((library, module) -> check(noClasses()
                .that(resideInAPackage("io.muster..").and(not(resideInAPackage(in(module)))))
                .should()
                .dependOnClassesThat(resideInAPackage(library))));
    }

    @Test
    void entitiesStayInsideTheirModule() {
        check(classes().that().areAnnotatedWith(Entity.class).should().bePackagePrivate());
    }

    @Test
    void timeIsJavaTime() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(java.util.Date.class, java.util.Calendar.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.sql.Timestamp.class));
    }

    @Test
    void everyPackageIsNullMarked() {
        var unmarked = new TreeSet<String>();
        packages()
                .filter(owner -> !owner.getClasses().stream().allMatch(ArchitectureTest::isPackageInfo))
                .filter(owner -> !owner.isAnnotatedWith(NullMarked.class))
                .forEach(owner -> unmarked.add(owner.getName()));

        assertThat(unmarked)
                .as("packages without a @NullMarked package-info.java")
                .isEmpty();
    }

    private static Stream<JavaPackage> packages() {
        return MUSTER.stream().map(JavaClass::getPackage).distinct();
    }

    private static boolean isPackageInfo(JavaClass type) {
        return type.getSimpleName().equals("package-info");
    }

    static Stream<String> modules() {
        return MUSTER.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith("io.muster."))
                .map(name -> name.split("\\.")[2])
                .distinct()
                .sorted();
    }

    static Stream<String> pureModules() {
        return PURE.stream().sorted();
    }

    private static String in(String module) {
        return "io.muster." + module + "..";
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MUSTER);
    }
}
