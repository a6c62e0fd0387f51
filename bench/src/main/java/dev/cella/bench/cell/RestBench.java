package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What the servers use while nobody asks them anything: the leader's heartbeats and looks at deadlines, and the JVMs' own threads.
 * The machines have no agents, so no leases are renewed.
 */
public final class RestBench {
    /** Code that runs a few times a second is compiled minutes after the start. */
    public static final Duration SETTLING_MAX = Duration.ofMinutes(10);

    private RestBench() {}

    /**
     * The results.
     *
     * @param resting the leader first
     */
    public record Report(Conditions conditions, Servers servers, int machines, List<Resting> resting) {}

    /**
     * A server at rest.
     *
     * @param percent of one processor
     * @param mib its resident memory at the end
     */
    public record Resting(boolean leads, double percent, double mib) {}

    /**
     * Founds a cell, and leaves it alone.
     *
     * @param settlingMax the measurement begins after it, or earlier if the compilers have little to do
     */
    public static Report run(
            Servers servers, int machines, Duration settlingMax, Duration measured, Consumer<String> progress)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers, progress)) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            List<PartProcess> running = cell.leaderAndOthers();
            var unused = WarmUp.await(
                    cell,
                    pause -> TimeUnit.NANOSECONDS.sleep(pause.toNanos()),
                    Duration.ZERO,
                    measured.dividedBy(2),
                    settlingMax);
            cell.say("measuring for %d s", measured.toSeconds());
            return new Report(conditions, servers, machines, rest(running, measured));
        }
    }

    private static List<Resting> rest(List<PartProcess> running, Duration measured)
            throws IOException, InterruptedException {
        List<Duration> before = running.stream().map(PartProcess::cpu).toList();
        long begin = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(measured.toNanos());
        double nanos = System.nanoTime() - begin;
        List<Duration> after = running.stream().map(PartProcess::cpu).toList();
        List<Resting> resting = new ArrayList<>();
        for (int server = 0; server < running.size(); server++) {
            Duration used = after.get(server).minus(before.get(server));
            resting.add(new Resting(
                    server == 0,
                    100 * used.toNanos() / nanos,
                    running.get(server).memory().mib()));
        }
        return resting;
    }
}
