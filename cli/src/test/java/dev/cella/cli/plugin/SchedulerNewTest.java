package dev.cella.cli.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The project that {@code cella scheduler new} writes, and what it refuses. {@code WriteOneTest} builds and runs one. */
final class SchedulerNewTest {
    private static final String VERSION = "1.2.3";
    private static final String ADDRESS = "https://maven.example.com/a&b";

    @TempDir
    private Path folder;

    @Test
    void project_hasItsNamesInEveryFile_andNoPlaceholder() throws IOException {
        String said = type("power-of-two", "--directory", "here", "--repository", ADDRESS);

        List<Path> files = files(folder.resolve("here"));
        assertThat(files.stream()
                        .map(file -> folder.resolve("here").relativize(file).toString()))
                .containsExactly(
                        ".gitignore",
                        "README.md",
                        "job.yaml",
                        "pom.xml",
                        "src/main/java/com/example/poweroftwo/PowerOfTwoPlanner.java",
                        "src/main/java/com/example/poweroftwo/PowerOfTwoProvider.java",
                        "src/main/resources/META-INF/services/dev.cella.scheduling.SchedulerProvider",
                        "src/test/java/com/example/poweroftwo/PowerOfTwoTest.java");
        for (Path file : files) {
            assertThat(Files.readString(file)).as(file.toString()).doesNotContain("{{");
        }
        assertThat(Files.readString(folder.resolve("here/pom.xml")))
                .contains("<cella.version>1.2.3<", "<cella.repository>https://maven.example.com/a&amp;b<");
        assertThat(said).contains("next: cd here && mvn verify", "--plugin target/power-of-two-scheduler.jar");
    }

    @Test
    void repositoryOnDisk_isNamedByItsAddress() throws IOException {
        Path jars = Files.createDirectories(folder.resolve("a b/dev/cella/cella-scheduling/1.2.3"));

        type("mine", "--repository", "a b");

        String address = folder.resolve("a b").toUri().toString();
        assertThat(jars).exists();
        assertThat(address).contains("a%20b");
        assertThat(Files.readString(folder.resolve("mine/pom.xml"))).contains(address);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Mine | scheduler type",
                "batch | a scheduler of type batch comes with Cella",
                "2phase | Java can name no package com.example.2phase",
                "new | Java can name no package com.example.new",
                "job | would have the name of one that it uses",
                "scheduler | would have the name of one that it uses"
            })
    void unfitName_isRefusedInWords(String name, String why) {
        assertThat(refusal(name, "--repository", ADDRESS).errors().toString()).contains(why);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void pathAsAName_isRefusedInWords_withTheFlagForIt() {
        CommandFailure refused = refusal("some/mine", "--repository", ADDRESS);

        assertThat(refused.errors())
                .singleElement()
                .asString()
                .startsWith("the scheduler type is no name: \"some/mine\"");
        assertThat(refused.hint()).startsWith("--directory DIR says where the project is put");
    }

    @Test
    void directoryWithFiles_isLeftAsItIs() throws IOException {
        Files.createDirectory(folder.resolve("mine"));
        Files.writeString(folder.resolve("mine/pom.xml"), "my own");

        CommandFailure refused = refusal("mine", "--repository", ADDRESS);

        assertThat(refused.errors()).containsExactly("the directory mine is not empty");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(files(folder)).hasSize(1);
    }

    @Test
    void fileInThePlaceOfTheDirectory_isReported() throws IOException {
        Files.writeString(folder.resolve("mine"), "");
        assertThat(refusal("mine", "--repository", ADDRESS).errors()).containsExactly("mine is a file");
        assertThat(refusal("other", "--directory", "mine/other", "--repository", ADDRESS)
                        .errors())
                .singleElement()
                .asString()
                .startsWith("mine/other cannot be written: ");
    }

    @Test
    void repositoryWithoutTheJars_isReported() {
        assertThat(refusal("mine", "--repository", "nowhere").errors())
                .containsExactly(folder.resolve("nowhere") + " has no cella-scheduling 1.2.3");
        assertThat(refusal("mine").errors().toString()).contains("was started without its launcher");
    }

    private String type(String... arguments) {
        TypedCommand typed = new TypedCommand(folder);
        SchedulerNewCommand command = new SchedulerNewCommand(typed.terminal(), VERSION);
        new CommandLine(command).parseArgs(arguments);
        assertThat(command.call()).isZero();
        return typed.out();
    }

    private CommandFailure refusal(String... arguments) {
        return catchThrowableOfType(CommandFailure.class, () -> type(arguments));
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
