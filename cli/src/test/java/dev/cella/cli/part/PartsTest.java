package dev.cella.cli.part;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PartsTest {
    private static final int INTERRUPTED = 130;

    @TempDir
    private Path home;

    /** A process with a temporary folder, and with a part that never closes. */
    static final class Stubborn {
        public static void main(String[] arguments) throws Exception {
            Parts parts = new Parts(Terminal.ofThisProcess());
            Path folder = parts.temporaryFolder("of-a-stubborn-");
            Files.writeString(Files.createDirectory(folder.resolve("inner")).resolve("file"), "text");
            parts.start(() -> () -> new CountDownLatch(1).await());
            System.out.println("started in " + folder);
            throw parts.run();
        }
    }

    @Test
    @Timeout(120)
    void interrupted_aPartDoesNotClose_theProcessEndsAndItsTemporaryFolderIsGone() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + home,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Stubborn.class.getName())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).startsWith("started in " + home.resolve("of-a-stubborn-"));
            process.toHandle().destroy();

            assertThat(process.waitFor()).isEqualTo(INTERRUPTED);
            assertThat(said.lines()).containsExactly("stopping");
        } finally {
            process.destroyForcibly();
        }
        try (Stream<Path> files = Files.list(home)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("of-a-stubborn")))
                    .isEmpty();
        }
    }
}
