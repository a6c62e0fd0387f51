package dev.cella.bench.cell;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of a cell as a process of its own, started from the class path of this one, as an operator would start it. */
final class ServerProcess implements AutoCloseable {
    private static final long STOP_SECONDS_MAX = 10;

    private final Process process;
    private final URI address;
    private final Duration startTook;

    private ServerProcess(Process process, URI address, Duration startTook) {
        this.process = process;
        this.address = address;
        this.startTook = startTook;
    }

    /**
     * Starts it, and returns when it has said where it answers.
     *
     * @param mainClass of the command {@code cella}
     */
    static ServerProcess start(String mainClass, Path data, String heap) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx" + heap, "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(mainClass, "server", "--data", data.toString(), "--port", "0"));
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectError(data.resolveSibling(data.getFileName() + ".log").toFile())
                .start();
        // The stream is not closed: a server that goes on printing must find somebody who reads.
        BufferedReader lines = process.inputReader();
        String first = lines.readLine();
        if (first == null || !first.startsWith("http")) {
            process.destroyForcibly();
            throw new IOException("the server did not start: see " + data + ".log");
        }
        return new ServerProcess(process, URI.create(first.strip()), Duration.ofNanos(System.nanoTime() - begin));
    }

    URI address() {
        return address;
    }

    /** From the start of the process until it was ready to be asked. */
    Duration startTook() {
        return startTook;
    }

    /** What it has used of the processors since its start. */
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
