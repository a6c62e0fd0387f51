package dev.cella.bench.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BenchFolderTest {
    /** A measurement: it prints its folder, into which a process of it goes on writing until it is killed. */
    static final class Measurement {
        public static void main(String[] arguments) throws Exception {
            try (BenchFolder folder = BenchFolder.make("cella-bench-test")) {
                Process writes = new ProcessBuilder(
                                "sh", "-c", "i=0; while :; do i=$((i+1)); : > " + folder.path() + "/$i; done")
                        .start();
                System.out.println(folder.path());
                writes.waitFor();
            }
        }
    }

    @Test
    void interruptedMeasurement_leavesNoFolder() throws Exception {
        Process measurement = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Measurement.class.getName())
                .start();
        try (BufferedReader lines = measurement.inputReader()) {
            Path folder = Path.of(lines.readLine());
            assertThat(folder).exists();
            measurement.destroy();
            assertThat(measurement.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(folder).doesNotExist();
        } finally {
            measurement.destroyForcibly();
        }
    }

    @Test
    void measurementThatIsOver_removesItsFolder() throws IOException {
        Path path;
        try (BenchFolder folder = BenchFolder.make("cella-bench-test")) {
            path = folder.path();
            Files.writeString(path.resolve("file"), "text");
        }
        assertThat(path).doesNotExist();
    }
}
