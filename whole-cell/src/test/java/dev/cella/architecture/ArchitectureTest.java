package dev.cella.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of {@link Architecture}, over the main code of all modules. */
final class ArchitectureTest {
    private static final String ROOT = "dev.cella";
    private static final Path REPOSITORY = Path.of("..");

    /** Ignores the harness that JMH generates around each benchmark. */
    private static final JavaClasses MAIN_CODE = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .withImportOption(location -> !location.contains("/jmh_generated/"))
            .importPackages(ROOT);

    @ParameterizedTest
    @MethodSource
    void mainCode_keepsTheRule(ArchRule rule) {
        rule.check(MAIN_CODE);
    }

    static Stream<ArchRule> mainCode_keepsTheRule() {
        return new Architecture(ROOT).rules();
    }

    @Test
    void mainCode_hasClassesOfEveryPart() {
        assertThat(Architecture.PARTS.usesByName().keySet())
                .allMatch(part -> MAIN_CODE.containPackage(ROOT + "." + part));
    }

    @Test
    void poms_haveExactlyTheEdgesOfTheDesign() {
        assertThat(ModulePoms.edges(REPOSITORY).usesByName())
                .containsExactlyInAnyOrderEntriesOf(Architecture.MODULES.usesByName());
    }
}
