package dev.cella.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** A script of {@code examples}, typed as its own text shows it, by a user with a {@code cella dev}. */
record ExampleScript(String export, String command) {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    static ExampleScript of(String name) throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("examples").resolve(name));
        return new ExampleScript(
                typed(lines, line -> line.startsWith("    export ")),
                typed(lines, line -> line.startsWith("    ") && line.contains("python3 examples/" + name)));
    }

    /** The first such line, without the comment at its end. */
    private static String typed(List<String> lines, Predicate<String> shows) {
        return lines.stream()
                .filter(shows)
                .findFirst()
                .orElseThrow()
                .split(" #", 2)[0]
                .strip();
    }

    /** Starts it in the root of the sources, with more flags. */
    Process start(Path home, String flags, Path output, Path errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", export + "\n" + command + " " + flags)
                .directory(ROOT.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("HOME", home.toString());
        return builder.start();
    }

    /** Ends it with all processes of its pipe. */
    static void end(Process script) {
        script.descendants().forEach(ProcessHandle::destroyForcibly);
        script.destroyForcibly();
    }

    static boolean canRun() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
