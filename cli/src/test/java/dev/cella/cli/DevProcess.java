package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@code cella dev} in a process of its own, as a user has it in the other terminal. */
final class DevProcess implements AutoCloseable {
    private static final long STOPPED_SECONDS_MAX = 60;

    private final Process process;
    private final List<String> lines;

    private DevProcess(Process process, List<String> lines) {
        this.process = process;
        this.lines = List.copyOf(lines);
    }

    /** Returns when it says that it is ready, or has said why not. */
    static DevProcess start(Path home, String... arguments) throws IOException {
        List<String> command = CommandClasses.command(List.of("-Xmx256m"), "dev");
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        builder.environment().remove("XDG_DATA_HOME");
        Process process = builder.start();
        return new DevProcess(process, readUntilReady(process));
    }

    private static List<String> readUntilReady(Process process) throws IOException {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> lines = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            if (line.startsWith("next:")) {
                break;
            }
        }
        return lines;
    }

    /** The lines that it printed until it was ready. */
    List<String> lines() {
        return lines;
    }

    /** What lets into the cell, from the file that it names. */
    String token() {
        String data = lines.stream()
                .filter(line -> line.startsWith("  data "))
                .map(line -> line.substring("  data".length()).strip())
                .findFirst()
                .orElseThrow();
        try {
            return Files.readString(Path.of(data, "token")).strip();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    long processId() {
        return process.pid();
    }

    /** The port in the address that it printed first. */
    int port() {
        String first = lines.get(0);
        return Integer.parseInt(first.substring(first.lastIndexOf(':') + 1));
    }

    /** For one that does not start: waits for its end. */
    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Stops it as SIGTERM does; it has to end by itself. */
    void stop() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(STOPPED_SECONDS_MAX, TimeUnit.SECONDS))
                .as("stopped within %d s", STOPPED_SECONDS_MAX)
                .isTrue();
    }

    /** Its tasks and their keeper end too: they would go on writing into a folder that a test deletes next. */
    @Override
    public void close() {
        List<ProcessHandle> begun = process.descendants().toList();
        process.destroyForcibly().onExit().join();
        begun.forEach(ProcessHandle::destroyForcibly);
        begun.forEach(child -> child.onExit().join());
    }
}
