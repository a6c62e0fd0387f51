package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code distribution/make --built} in a checkout of its own, whose jars are small files, with a javadoc that only
 * looks for the sources that it is given.
 */
final class MakeTest {
    private static final String JAVADOC = """
        #!/bin/sh
        for argument; do
            case $argument in @*) xargs -n 1 cat <"${argument#@}" || exit 1 ;; esac
        done
        """;

    @TempDir
    private Path folder;

    private Path checkout;

    @BeforeEach
    void makeCheckout() throws Exception {
        checkout = folder.resolve("my checkout");
        Path distribution = Files.createDirectories(checkout.resolve("distribution"));
        for (String part : new String[] {"make", "repository", "cella", "deploy"}) {
            run("cp", "-R", "../distribution/" + part, distribution.toString());
        }
        for (String file : new String[] {"LICENSE", "README.md", "CHANGELOG.md", "docs/page.md", "examples/job.yaml"}) {
            write(file, "");
        }
        for (String module : new String[] {"transactions", "scheduling"}) {
            write(module + "/pom.xml", "");
            write(module + "/src/main/java/Source.java", "");
        }
        write("pom.xml", "<project.build.outputTimestamp>2026-11-01T00:00:00Z</project.build.outputTimestamp>\n");
        write("cli/target/classes/dev/cella/cli/version.properties", "version=1\n");
        write("cli/target/lib/cella-scheduling-1.jar", "scheduling");
        write("cli/target/cella-cli.jar", "cli");
        write("cli/target/bom.json", "");
        Path javadoc = write("jdk/bin/javadoc", JAVADOC);
        assertThat(javadoc.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void inAFolderWithABlankInItsName_anArchiveIsMade() throws Exception {
        assertThat(make()).isEqualTo(checkout.toRealPath().resolve("distribution/target/cella-1.tar.gz"));
    }

    /** The classes that a launcher keeps in memory are those of one program. */
    @Test
    void anArchive_hasAnIdOfItsContents() throws Exception {
        String first = id(make());
        String again = id(make());
        write("cli/target/cella-cli.jar", "ilc");
        String other = id(make());

        assertThat(first).isEqualTo(again).isNotEqualTo(other).matches("[0-9a-f]{16}\n");
    }

    /** Two of them are installed beside each other, and the way back leads from one to the other. */
    @Test
    void archivesOfOtherSnapshots_haveOtherNames() throws Exception {
        write("cli/target/classes/dev/cella/cli/version.properties", "version=1-SNAPSHOT\n");

        Path first = make();
        Path again = make();
        write("cli/target/cella-cli.jar", "ilc");
        Path other = make();

        assertThat(first).isEqualTo(again).isNotEqualTo(other);
        assertThat(other.getFileName().toString()).matches("cella-1-SNAPSHOT\\.[0-9a-f]{8}\\.tar\\.gz");
        assertThat(run("tar", "-tzf", other.toString()))
                .startsWith(other.getFileName().toString().replace(".tar.gz", "/"));
        assertThat(first).doesNotExist();
    }

    private static String id(Path archive) throws Exception {
        return run("tar", "-xzOf", archive.toString(), "cella-1/lib/id");
    }

    private Path make() throws Exception {
        String output = run(
                "env",
                "JAVA_HOME=" + checkout.resolve("jdk"),
                checkout.resolve("distribution/make").toString(),
                "--built");
        return Path.of(output.strip());
    }

    private Path write(String path, String text) throws IOException {
        Path file = checkout.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
