package dev.cella.bench.cell;

import dev.cella.client.access.CellAccess;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ListJobsRequest;
import dev.cella.transactions.model.JobHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/**
 * The answer times of a well-behaved client of a closed server, alone and beside hostile callers, in turns. Every hostile
 * request must be refused with a status, or its connection closed.
 */
public final class HostileBench {
    private static final int CALLERS = 4;
    private static final List<HostileRequest> KINDS = List.of(HostileRequest.values());
    private static final int MACHINES = 500;
    private static final int JOBS = 20;
    private static final long READ_EVERY_MILLIS = 5;

    private HostileBench() {}

    /**
     * One turn.
     *
     * @param p50Millis of the well-behaved client's reads
     * @param refused hostile requests that were answered with a status of 400 or more, or whose connection was closed
     */
    public record Turn(boolean hostile, double p50Millis, double p99Millis, long reads, int refused) {}

    /** The results, in the order in which they were measured. */
    public record Report(Conditions conditions, int requests, List<Turn> turns) {}

    /**
     * Founds a closed cell and measures the reads in turns.
     *
     * @param requests hostile ones a turn
     */
    public static Report run(Servers servers, int requests, int turns) throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers.asClosed())) {
            Conditions conditions = cell.conditions();
            cell.putMachines(MACHINES);
            for (int job = 0; job < JOBS; job++) {
                cell.submitJob("job-" + job, "nobody", JobHeader.TASKS_MAX);
            }
            turn(cell, requests);
            List<Turn> measured = new ArrayList<>();
            for (int turn = 0; turn < turns; turn++) {
                measured.add(turn(cell, 0));
                measured.add(turn(cell, requests));
            }
            return new Report(conditions, requests, measured);
        }
    }

    /** Reads for two seconds at least, and until all hostile requests are through. */
    private static Turn turn(BenchedCell cell, int requests) throws InterruptedException {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        AtomicInteger refused = new AtomicInteger();
        for (int request = 0; request < requests; request++) {
            HostileRequest kind = KINDS.get(request % KINDS.size());
            callers.execute(() -> refused.addAndGet(isRefused(cell, kind) ? 1 : 0));
        }
        callers.shutdown();
        Histogram times = new Histogram(3);
        HttpCell client = cell.http();
        long begin = System.nanoTime();
        while (!callers.isTerminated() || System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(2)) {
            long asked = System.nanoTime();
            client.listJobs(ListJobsRequest.getDefaultInstance());
            times.recordValue(System.nanoTime() - asked);
            TimeUnit.MILLISECONDS.sleep(READ_EVERY_MILLIS);
        }
        return new Turn(
                requests > 0,
                times.getValueAtPercentile(50) / 1e6,
                times.getValueAtPercentile(99) / 1e6,
                times.getTotalCount(),
                refused.get());
    }

    private static boolean isRefused(BenchedCell cell, HostileRequest kind) {
        URI server = cell.addresses().first();
        CellAccess access = cell.addresses().access();
        try (BareClient client = BareClient.connect(server, access, InetAddress.getLoopbackAddress())) {
            client.write(kind.bytes(server, access));
            return client.readStatus() >= 400;
        } catch (IOException closed) {
            return true;
        }
    }
}
