package io.muster;

import java.util.Set;
import java.util.stream.Stream;
import org.springframework.modulith.core.ApplicationModuleDetectionStrategy;
import org.springframework.modulith.core.ApplicationModuleInformation;
import org.springframework.modulith.core.JavaPackage;
import org.springframework.modulith.core.NamedInterfaces;

/**
 * Tells Spring Modulith what the pure packages cannot say for themselves, as they know no Spring: the stages of
 * {@code scheduling} are interfaces in their own right, and so are the parts of {@code web}.
 */
final class Modules implements ApplicationModuleDetectionStrategy {
    /** Modules whose public types in sub-packages are for everybody who may use the module. */
    static final Set<String> OPEN_BELOW = Set.of("scheduling", "simulation", "simulator", "web");

    @Override
    public Stream<JavaPackage> getModuleBasePackages(JavaPackage root) {
        return root.getDirectSubPackages().stream()
                .filter(module -> !module.getLocalName().equals("support"));
    }

    @Override
    public NamedInterfaces detectNamedInterfaces(JavaPackage module, ApplicationModuleInformation information) {
        return OPEN_BELOW.contains(module.getLocalName())
                ? NamedInterfaces.forOpen(module)
                : NamedInterfaces.of(module, information);
    }
}
