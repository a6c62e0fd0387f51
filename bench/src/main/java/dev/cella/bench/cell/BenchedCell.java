package dev.cella.bench.cell;

import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.Run;
import dev.cella.transactions.model.JobHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cell that is founded for a measurement, in a folder that goes with it. Its machines have no agents. */
final class BenchedCell implements AutoCloseable {
    /** So large that no claim of a measurement is refused: what is measured is the way, not the search for room. */
    private static final long CAPACITY = 1L << 40;

    private static final int ASKED_AT_ONCE = 16;

    private final String mainClass;
    private final String heap;
    private final Path folder;
    private ServerProcess server;
    private HttpCell http;

    private BenchedCell(String mainClass, String heap, Path folder) throws IOException {
        this.mainClass = mainClass;
        this.heap = heap;
        this.folder = folder;
        this.server = ServerProcess.start(mainClass, data(), heap);
        this.http = new HttpCell(server.address());
    }

    static BenchedCell found(String mainClass, String heap) throws IOException {
        return new BenchedCell(mainClass, heap, Files.createTempDirectory("cella-bench"));
    }

    private Path data() {
        return folder.resolve("server");
    }

    Conditions conditions() throws IOException {
        return Conditions.measure(folder);
    }

    ServerProcess server() {
        return server;
    }

    HttpCell http() {
        return http;
    }

    /** Registers so many machines; they take the first slots of the cell. */
    void putMachines(int count) {
        ExecutorService askers = Executors.newFixedThreadPool(ASKED_AT_ONCE);
        try {
            CompletableFuture.allOf(IntStream.range(0, count)
                            .mapToObj(machine -> CompletableFuture.runAsync(() -> putMachine(machine), askers))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            askers.shutdownNow();
        }
    }

    private void putMachine(int machine) {
        http.putMachine(PutMachineRequest.newBuilder()
                .setName("m-" + machine)
                .putCapacity("cpuMilli", CAPACITY)
                .putCapacity("memoryMib", CAPACITY)
                .build());
    }

    /** A job of as many tasks as a job may have. */
    JobSubmitted submitJob(String name, String scheduler) {
        return http.submitJob(Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler(scheduler)
                .addGroups(Group.newBuilder()
                        .setCount(JobHeader.TASKS_MAX)
                        .putResources("cpuMilli", 1)
                        .putResources("memoryMib", 1)
                        .setRun(Run.newBuilder().addCommand("true")))
                .build());
    }

    /** Kills the server as kill -9 does, and starts another on what it left. */
    void restart() throws IOException {
        server.kill();
        server = ServerProcess.start(mainClass, data(), heap);
        http = new HttpCell(server.address());
    }

    @Override
    public void close() throws IOException {
        server.close();
        List<Path> all;
        try (Stream<Path> tree = Files.walk(folder)) {
            all = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
