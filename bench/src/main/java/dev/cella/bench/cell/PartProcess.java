package dev.cella.bench.cell;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server or a scheduler of a cell as a separate process, started from the class path of this one, as an operator would start
 * it.
 */
final class PartProcess implements AutoCloseable {
    private static final long STOP_SECONDS_MAX = 10;
    private static final int LOG_LINES_SHOWN = 20;

    private final Process process;
    private final Path log;
    private final long startedNanos = System.nanoTime();

    private PartProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it.
     *
     * @param mainClass of the command {@code cella}
     * @param javaOptions of its JVM; they may name another class path
     * @param arguments of the command, the part's name first
     * @param log gets what it logs
     */
    static PartProcess start(String mainClass, List<String> javaOptions, List<String> arguments, Path log)
            throws IOException {
        return start(mainClass, javaOptions, arguments, Map.of(), log);
    }

    /**
     * The same.
     *
     * @param environment variables besides those of this process
     */
    static PartProcess start(
            String mainClass,
            List<String> javaOptions,
            List<String> arguments,
            Map<String, String> environment,
            Path log)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(javaOptions);
        command.add(mainClass);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        // Ctrl-C in the middle of a measurement must not leave processes behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new PartProcess(process, log);
    }

    /** Waits until it prints its first line, which must begin with that text: then it has started. */
    void awaitFirstLine(String beginning) throws IOException {
        // The stream stays open: a process that goes on printing needs a reader.
        BufferedReader lines = process.inputReader();
        String first = lines.readLine();
        if (first == null || !first.startsWith(beginning)) {
            process.destroyForcibly();
            throw new IOException("a process of the cell did not start; the last that it logged:\n" + lastLogged());
        }
    }

    /** Copied into the message, because the log is removed with its folder. */
    private String lastLogged() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
    }

    /** Collects its garbage, so that its heap figure is what it needs. */
    void collectGarbage() throws IOException, InterruptedException {
        tell("GC.run");
    }

    /** The processor time of its compilers since its start. */
    Duration compiling() throws IOException {
        return CompilerThreads.cpu(process.pid());
    }

    /** Its resident memory, as the system counts it. */
    ClientsBench.Memory memory() throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status"));
        return new ClientsBench.Memory(mib(status, "VmRSS:"), mib(status, "VmHWM:"));
    }

    private static double mib(List<String> status, String field) {
        return status.stream()
                        .filter(line -> line.startsWith(field))
                        .map(line ->
                                line.substring(field.length()).replace("kB", "").strip())
                        .mapToDouble(Double::parseDouble)
                        .findFirst()
                        .orElseThrow()
                / 1024;
    }

    private String tell(String command) throws IOException, InterruptedException {
        Process telling = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(process.pid()),
                        command)
                .redirectErrorStream(true)
                .start();
        String said = new String(telling.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (telling.waitFor() != 0) {
            throw new IOException("jcmd could not tell process " + process.pid() + " " + command + ": " + said);
        }
        return said;
    }

    /** Since its start. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    /** The processor time that it has used since its start. */
    Duration cpu() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Stops it for that long, as a slow machine does, and lets it go on. */
    void pause(Duration pause) throws IOException, InterruptedException {
        signal("STOP");
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } finally {
            signal("CONT");
        }
    }

    private void signal(String name) throws IOException, InterruptedException {
        int result = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (result != 0) {
            throw new IOException("could not send " + name + " to process " + process.pid());
        }
    }

    /** As kill -9 does. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit()
                .completeOnTimeout(process, STOP_SECONDS_MAX, TimeUnit.SECONDS)
                .join();
        kill();
    }
}
