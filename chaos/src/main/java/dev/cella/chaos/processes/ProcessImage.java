package dev.cella.chaos.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How a process was started, as the kernel knows it: enough to start it again. */
record ProcessImage(List<String> command, List<String> environment, Path folder, Path output) {
    private static final Path NOWHERE = Path.of("/dev/null");

    static ProcessImage of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            List<String> command = new ArrayList<>(words(process.resolve("cmdline")));
            command.set(0, Files.readSymbolicLink(process.resolve("exe")).toString());
            Path output = Files.readSymbolicLink(process.resolve("fd/1"));
            return new ProcessImage(
                    command,
                    words(process.resolve("environ")),
                    Files.readSymbolicLink(process.resolve("cwd")),
                    Files.isRegularFile(output) ? output : NOWHERE);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("reading how process " + pid + " was started", unreadable);
        }
    }

    private static List<String> words(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), UTF_8);
        return text.isEmpty()
                ? List.of()
                : Arrays.asList((text.endsWith("\0") ? text.substring(0, text.length() - 1) : text).split("\0", -1));
    }

    /** Where the copy's output goes, in words. */
    String whereOutputGoes() {
        return output.equals(NOWHERE) ? "its output is lost" : "its output goes to " + output;
    }

    /** Starts the same again; it lives on when this process ends. */
    Process start() {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(NOWHERE.toFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().clear();
        environment.stream()
                .filter(each -> each.indexOf('=') > 0)
                .forEach(each -> builder.environment()
                        .put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1)));
        try {
            return builder.start();
        } catch (IOException failure) {
            throw new UncheckedIOException("starting " + command.get(0) + " again", failure);
        }
    }
}
