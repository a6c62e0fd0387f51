package dev.cella.chaos.seeds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The priority of this JVM. Seeds compute for minutes and wait for nothing, so they use what the tests of other modules leave of
 * the processors, and hardly delay them.
 */
final class Niceness {
    private static final Path THREADS = Path.of("/proc/self/task");

    /** A tenth of a processor that others want too: enough to end in time on a busy machine. */
    private static final String NICE = "10";

    private Niceness() {}

    /** Gives all threads a low priority; later ones inherit it. Without {@code /proc} nothing changes. */
    static void raise() throws IOException, InterruptedException {
        if (!Files.isDirectory(THREADS)) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("renice", "-n", NICE, "-p"));
        try (Stream<Path> threads = Files.list(THREADS)) {
            threads.forEach(thread -> command.add(thread.getFileName().toString()));
        }
        // A thread that has ended meanwhile is an error of the command.
        var unused = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
