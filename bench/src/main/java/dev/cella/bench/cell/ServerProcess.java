package dev.cella.bench.cell;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server of a cell as a separate process, started from the class path of this one, as an operator would start it.
 */
final class ServerProcess implements AutoCloseable {
    private static final long STOP_SECONDS_MAX = 10;
    private static final int LOG_LINES_SHOWN = 20;

    private final Process process;
    private final Path log;
    private final long startedNanos = System.nanoTime();

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts it; what it logs goes to a file beside its data. */
    static ServerProcess start(Servers servers, Path data, List<String> flags) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(servers.javaOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(servers.mainClass(), "server", "--data", data.toString()));
        command.addAll(flags);
        Path log = data.resolveSibling(data.getFileName() + ".log");
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        // Ctrl-C in the middle of a measurement must not leave servers behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new ServerProcess(process, log);
    }

    /** Where it answers, as soon as it does. */
    URI awaitAddress() throws IOException {
        // The stream stays open: a server that goes on printing needs a reader.
        BufferedReader lines = process.inputReader();
        String first = lines.readLine();
        if (first == null || !first.startsWith("http")) {
            process.destroyForcibly();
            throw new IOException("the server did not start; the last that it logged:\n" + lastLogged());
        }
        return URI.create(first.strip());
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
            throw new IOException("jcmd could not tell server " + process.pid() + " " + command + ": " + said);
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
