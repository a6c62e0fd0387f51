package dev.cella.scheduling.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jars as their authors make them: the right one loads and sees what it may, and each wrong one is refused with a message that
 * says how to fix it.
 */
final class SchedulerTypesTest {
    private static final String SECOND = """
            package author;
            public final class Second implements dev.cella.scheduling.SchedulerProvider {
                public String type() { return "second"; }
                public java.util.List<dev.cella.scheduling.SchedulerOption> options() { return java.util.List.of(); }
                public dev.cella.scheduling.Scheduler<?> create(dev.cella.scheduling.SchedulerOptions o) { return null; }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void aRightJar_addsItsType() throws IOException {
        Path jar = PluginSource.of("mine").jar(folder, "mine.jar");

        SchedulerTypes types = SchedulerTypes.with(List.of(jar));

        assertThat(types.names()).contains("mine");
        assertThat(types.all())
                .filteredOn(type -> type.name().equals("mine"))
                .singleElement()
                .satisfies(type -> {
                    assertThat(type.jar()).hasValue(jar);
                    assertThat(type.provider().create(SchedulerOptions.defaults(List.of())))
                            .isNotNull();
                });
    }

    @Test
    void aPlugin_seesTheJdkSlf4jTransactionsAndThePublicPackage_andNothingElse() throws IOException {
        SchedulerProvider sees = load(PluginSource.provider(
                        "Eyes.look(%s)"
                                .formatted(List.of(
                                                "\"java.sql.Driver\"",
                                                "\"org.slf4j.Logger\"",
                                                "\"dev.cella.transactions.cell.CellView\"",
                                                "\"dev.cella.scheduling.JobPlanner\"",
                                                "\"dev.cella.transactions.cell.rule.CommitRule\"",
                                                "\"dev.cella.scheduling.host.Commitments\"",
                                                "\"dev.cella.scheduling.loop.SchedulerLoop\"",
                                                "\"dev.cella.scheduling.live.LiveScheduler\"",
                                                "\"dev.cella.client.Problem\"",
                                                "\"com.google.protobuf.Message\"",
                                                "\"io.grpc.Channel\"",
                                                "\"org.junit.jupiter.api.Test\"")
                                        .toString()
                                        .replaceAll("[\\[\\]]", "")),
                        "List.of()",
                        "planner.scheduler()")
                .type("author.Eyes", """
                        package author;
                        final class Eyes {
                            static String look(String... names) {
                                String seen = "";
                                for (String name : names) {
                                    try {
                                        Class.forName(name);
                                        seen += "1";
                                    } catch (ClassNotFoundException hidden) {
                                        seen += "0";
                                    }
                                }
                                return seen;
                            }
                        }
                        """));

        assertThat(sees.type()).isEqualTo("111100000000");
    }

    private SchedulerProvider load(PluginSource source) throws IOException {
        Path jar = source.jar(folder, "it.jar");
        return SchedulerTypes.with(List.of(jar)).all().stream()
                .filter(type -> type.jar().isPresent())
                .map(SchedulerType::provider)
                .findFirst()
                .orElseThrow();
    }

    static Stream<Arguments> aWrongJar_saysWhatToMend() {
        return Stream.of(
                arguments(
                        PluginSource.of("mine").services(""),
                        "it.jar offers no scheduler: it has no META-INF/services/dev.cella.scheduling.SchedulerProvider",
                        "add that file"),
                arguments(
                        PluginSource.of("mine").services("# none yet\n"),
                        "it.jar: META-INF/services/dev.cella.scheduling.SchedulerProvider names no class",
                        "each public class of the jar"),
                arguments(
                        PluginSource.of("mine").without("author.Provider"),
                        "META-INF/services/dev.cella.scheduling.SchedulerProvider: Provider author.Provider not found",
                        "each public class of the jar"),
                arguments(
                        PluginSource.of("mine")
                                .services("author.Other")
                                .type("author.Other", "package author; public final class Other {}"),
                        "SchedulerProvider: author.Other not a subtype",
                        "implements SchedulerProvider"),
                arguments(
                        PluginSource.of("mine").api(""),
                        "it.jar does not say which version of the scheduler API it was built against",
                        "add Cella-Scheduler-Api: 1 to its META-INF/MANIFEST.MF"),
                arguments(
                        PluginSource.of("mine").api("2"),
                        "it.jar was built against version 2 of the scheduler API, and this is version 1",
                        "build it against this Cella's cella-scheduling"),
                arguments(
                        PluginSource.of("My Type"),
                        "it.jar: scheduler type 'My Type' does not match",
                        "have type() of author.Provider answer one that does"),
                arguments(
                        PluginSource.provider("null", "List.of()", "null"),
                        "it.jar: author.Provider.type() throws java.lang.NullPointerException: its answer is null",
                        "mend it there"),
                arguments(
                        PluginSource.provider("String.valueOf(1 / (int) 0L)", "List.of()", "null"),
                        "it.jar: author.Provider.type() throws java.lang.ArithmeticException: / by zero",
                        "mend it there"),
                arguments(
                        PluginSource.provider(
                                "\"mine\"",
                                "List.of(new SchedulerOption(\"a\", \"1\", \"one\"), new SchedulerOption(\"a\", \"2\", \"two\"))",
                                "null"),
                        "it.jar: type mine has two options a",
                        "rename one in options() of author.Provider"),
                arguments(
                        PluginSource.provider("Own.NAME", "List.of()", "null")
                                .type(
                                        "author.Own",
                                        "package author; class Own { static String NAME = Own.class.getName(); }")
                                .without("author.Own"),
                        "it.jar: author.Provider.type() needs what it does not see: java.lang.NoClassDefFoundError:"
                                + " author/Own",
                        "pack other libraries into its jar"));
    }

    @ParameterizedTest
    @MethodSource
    void aWrongJar_saysWhatToMend(PluginSource source, String error, String hint) {
        PluginRefusedException refused = refused(() -> load(source));

        assertThat(refused).hasMessageContaining(error);
        assertThat(refused.hint()).contains(hint);
    }

    @Test
    void aFileThatIsNoJar_saysSo() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "no jar");

        assertThat(refused(() -> SchedulerTypes.with(List.of(text)))).hasMessageContaining("notes.txt is not a jar");
        assertThat(refused(() -> SchedulerTypes.with(List.of(folder.resolve("missing.jar")))))
                .hasMessageContaining("there is no file " + folder.resolve("missing.jar"));
        assertThat(refused(() -> SchedulerTypes.with(List.of(folder)))).hasMessageContaining("there is no file");
    }

    @Test
    void aJar_mayOfferSeveralTypes() throws IOException {
        Path jar = PluginSource.of("mine")
                .services("author.Provider\nauthor.Second")
                .type("author.Second", SECOND)
                .jar(folder, "it.jar");

        assertThat(SchedulerTypes.with(List.of(jar)).names()).contains("mine", "second");
    }

    @Test
    void twoJarsOfOneType_areBothNamed() throws IOException {
        Path one = PluginSource.of("mine").jar(folder, "one.jar");
        Path two = PluginSource.of("mine").jar(folder, "two.jar");

        PluginRefusedException refused = refused(() -> SchedulerTypes.with(List.of(one, two)));

        assertThat(refused).hasMessage(two + " offers the type mine, which " + one + " offers too");
        assertThat(refused.hint()).isEqualTo("have type() answer another name in one of them");
    }

    @Test
    void create_passesAWrongValueOn_andNamesTheJarOfWhatThrows() throws IOException {
        SchedulerProvider choosy = load(PluginSource.provider(
                "\"choosy\"",
                "List.of(new SchedulerOption(\"cores\", \"1\", \"left free\"))",
                "options.number(\"cores\", 0, 4) == 4 ? null : planner.scheduler()"));

        assertThatThrownBy(() -> choosy.create(SchedulerOptions.of(choosy.options(), Map.of("cores", "many"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option cores is a whole number from 0 to 4, not many");
        assertThat(refused(() -> choosy.create(SchedulerOptions.of(choosy.options(), Map.of("cores", "4")))))
                .hasMessageContaining("it.jar: author.Provider.create({cores=4}) throws");
    }

    private interface Act {
        void run() throws IOException;
    }

    private static PluginRefusedException refused(Act act) {
        return catchThrowableOfType(PluginRefusedException.class, act::run);
    }
}
