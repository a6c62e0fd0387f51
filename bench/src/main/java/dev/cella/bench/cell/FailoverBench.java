package dev.cella.bench.cell;

import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.HttpCellOptions;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.PutMachineRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * What users see when the leader is killed, leaves or is paused. The cell has a light load before, so that its JVMs are warm, and
 * meanwhile.
 */
public final class FailoverBench {
    private static final int SCHEDULERS = 3;
    private static final int CLAIMS = 10;
    private static final int WARMING_TRANSACTIONS_PER_SECOND = 1_500;
    private static final int TRANSACTIONS_PER_SECOND = 500;

    /** Answers before a leader is asked to leave: to begin a load and to connect its users takes time of its own. */
    private static final int SETTLING_ANSWERS = 2 * TRANSACTIONS_PER_SECOND;

    /** Users of the HTTP API call as often as this before a leader leaves and meanwhile. */
    private static final Duration CALL_EVERY = Duration.ofMillis(10);

    /** A client that asks again by itself would hide what others see. */
    private static final HttpCellOptions WITHOUT_PATIENCE =
            new HttpCellOptions(HttpCellOptions.DEFAULT.connectTimeout(), HttpCellOptions.DEFAULT.answerTimeout());

    /** Half of an election time-out of 500 ms: a leader that has nothing to say sends a heartbeat more often than this. */
    private static final int BETWEEN_PAUSES_MILLIS_MAX = 250;

    private final BenchedCell cell;
    private final int machines;

    private FailoverBench(BenchedCell cell, int machines) {
        this.cell = cell;
        this.machines = machines;
    }

    /**
     * The faults of the leaders.
     *
     * @param kills how often one is killed, as kill -9 does
     * @param leaves how often one is asked to stop
     * @param transfers how often the next server gets the leadership, by turns, and no server stops
     * @param pauses how often one is stopped for a while, half of them in an idle cell
     * @param pause how long
     */
    public record Faults(int kills, int leaves, int transfers, int pauses, Duration pause) {}

    /**
     * The results.
     *
     * @param failoverSeconds for each kill: until a transaction that was begun later is answered
     * @param handoverSeconds for each leader that left: the longest that a transaction took
     * @param transferSeconds the same for each transfer
     * @param errors calls that failed while leaders left, and in the load before
     * @param elections how often a replica began to lead because of the pauses
     */
    public record Report(
            Conditions conditions,
            Servers servers,
            int machines,
            Faults faults,
            List<Double> failoverSeconds,
            List<Double> handoverSeconds,
            List<Double> transferSeconds,
            int errors,
            int elections) {}

    /**
     * Founds a cell, warms it, and has its leaders killed, leave and paused, one after another.
     *
     * @param servers several
     * @param warm how long the warming load is measured once it is warm
     * @param progress receives a line after each
     */
    public static Report run(Servers servers, int machines, Duration warm, Faults faults, Consumer<String> progress)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers, progress)) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            OfferedLoad load = OfferedLoad.open(SCHEDULERS, CLAIMS, WARMING_TRANSACTIONS_PER_SECOND);
            var unused = new Phase(cell, machines).run("warming", load, warm.dividedBy(2), warm, answered -> {});
            FailoverBench bench = new FailoverBench(cell, machines);
            List<Double> failovers = bench.killAll(faults.kills());
            AtomicInteger errors = new AtomicInteger();
            List<Double> handovers = bench.leaveAll(faults.leaves(), errors);
            List<Double> transfers = bench.transferAll(faults.transfers(), errors);
            int elections = bench.pauseAll(faults.pauses(), faults.pause());
            return new Report(
                    conditions, servers, machines, faults, failovers, handovers, transfers, errors.get(), elections);
        }
    }

    private List<Double> killAll(int kills) throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        for (int kill = 0; kill < kills; kill++) {
            seconds.add(failoverSeconds("failover-" + kill));
            cell.say("kill %d of %d: commits again after %.2f s", kill + 1, kills, seconds.get(kill));
        }
        return seconds;
    }

    /** Waits until the killed server is back, so that the next one can be killed. */
    private double failoverSeconds(String name) throws IOException, InterruptedException {
        CompletableFuture<Long> killed = new CompletableFuture<>();
        CompletableFuture<Long> again = new CompletableFuture<>();
        CompletableFuture<Void> underWay = new CompletableFuture<>();
        OfferedLoad load = OfferedLoad.open(1, 1, TRANSACTIONS_PER_SECOND);
        try (PlacingScheduler scheduler = new PlacingScheduler(cell, load, name, machines, answered -> {
            underWay.complete(null);
            if (killed.isDone() && answered.begunNanos() > killed.join()) {
                again.complete(System.nanoTime());
            }
        })) {
            scheduler.start();
            scheduler.await(underWay);
            int leader = cell.killLeader();
            killed.complete(System.nanoTime());
            double seconds = (scheduler.await(again) - killed.join()) / 1e9;
            cell.startAgain(leader);
            return seconds;
        }
    }

    private List<Double> leaveAll(int leaves, AtomicInteger errors) throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        for (int leave = 0; leave < leaves; leave++) {
            int[] left = new int[1];
            seconds.add(longestSeconds("handover-" + leave, errors, leader -> {
                left[0] = leader;
                cell.stop(leader);
            }));
            cell.startAgain(left[0]);
            cell.say(
                    "leader %d of %d left: a transaction took up to %.3f s, errors so far: %d",
                    leave + 1, leaves, seconds.get(leave), errors.get());
        }
        return seconds;
    }

    /** From the first time that a server leads to a time when it has led before, which tells how much of the time is a cold JVM. */
    private List<Double> transferAll(int transfers, AtomicInteger errors) throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        for (int transfer = 0; transfer < transfers; transfer++) {
            seconds.add(longestSeconds(
                    "transfer-" + transfer, errors, leader -> cell.transferTo((leader + 1) % cell.replicas())));
            cell.say(
                    "transfer %d of %d: a transaction took up to %.3f s, errors so far: %d",
                    transfer + 1, transfers, seconds.get(transfer), errors.get());
        }
        return seconds;
    }

    /**
     * The longest that a transaction takes while the leader of that place hands over.
     *
     * <p>The old leader answers for a moment after it was asked to leave. So the measurement covers all transactions from then on
     * until one is answered that began after its end.
     */
    private double longestSeconds(String name, AtomicInteger errors, IntConsumer handOver)
            throws IOException, InterruptedException {
        CompletableFuture<Long> asked = new CompletableFuture<>();
        CompletableFuture<Long> ended = new CompletableFuture<>();
        CompletableFuture<Void> after = new CompletableFuture<>();
        CompletableFuture<Void> settled = new CompletableFuture<>();
        AtomicInteger answers = new AtomicInteger();
        AtomicLong longestNanos = new AtomicLong();
        AtomicBoolean stopped = new AtomicBoolean();
        OfferedLoad load = OfferedLoad.open(1, 1, TRANSACTIONS_PER_SECOND);
        try (PlacingScheduler scheduler = new PlacingScheduler(cell, load, name, machines, answered -> {
            if (answers.incrementAndGet() == SETTLING_ANSWERS) {
                settled.complete(null);
            }
            if (asked.isDone() && !after.isDone()) {
                longestNanos.accumulateAndGet(System.nanoTime() - answered.begunNanos(), Math::max);
                if (ended.isDone() && answered.begunNanos() > ended.join()) {
                    after.complete(null);
                }
            }
        })) {
            scheduler.start();
            List<Thread> users = List.of(
                    user(new HttpCell(cell.leaderFirst(), WITHOUT_PATIENCE), stopped, errors),
                    user(new HttpCell(cell.addresses(), WITHOUT_PATIENCE), stopped, errors));
            try {
                scheduler.await(settled);
                int leader = cell.leader();
                asked.complete(System.nanoTime());
                handOver.accept(leader);
                ended.complete(System.nanoTime());
                scheduler.await(after);
            } finally {
                stopped.set(true);
            }
            for (Thread user : users) {
                user.join();
            }
            return longestNanos.get() / 1e9;
        }
    }

    /** Calls until it is stopped, and counts the calls that fail: one that reads and one that changes the cell, by turns. */
    private Thread user(HttpCell http, AtomicBoolean stopped, AtomicInteger errors) {
        Thread user = new Thread(
                () -> {
                    while (!stopped.get()) {
                        try {
                            http.listMachines(
                                    ListMachinesRequest.newBuilder().setLimit(1).build());
                            http.putMachine(PutMachineRequest.newBuilder()
                                    .setName("of-a-user")
                                    .putCapacity("cpuMilli", 1)
                                    .putCapacity("memoryMib", 1)
                                    .build());
                            TimeUnit.NANOSECONDS.sleep(CALL_EVERY.toNanos());
                        } catch (Problem | CellUnreachable failure) {
                            errors.incrementAndGet();
                            cell.say("a call failed: %s", String.valueOf(failure.getMessage()));
                        } catch (InterruptedException ended) {
                            return;
                        }
                    }
                },
                "user");
        user.setDaemon(true);
        user.start();
        return user;
    }

    private int pauseAll(int pauses, Duration pause) throws IOException, InterruptedException {
        int before = cell.beganToLead();
        Random random = new Random(1);
        pauseSome(pauses / 2, pause, random);
        int idle = cell.beganToLead() - before;
        OfferedLoad load = OfferedLoad.open(1, 1, TRANSACTIONS_PER_SECOND);
        if (pauses > 0) {
            cell.say("%d pauses of the leader in an idle cell: %d elections", pauses / 2, idle);
            try (PlacingScheduler scheduler = new PlacingScheduler(cell, load, "pauses", machines, answered -> {})) {
                scheduler.start();
                pauseSome(pauses - pauses / 2, pause, random);
                scheduler.check();
            }
            cell.say(
                    "%d pauses of the leader under load: %d elections",
                    pauses - pauses / 2, cell.beganToLead() - before - idle);
        }
        return cell.beganToLead() - before;
    }

    /** Each begins at another moment between two heartbeats. */
    private void pauseSome(int pauses, Duration pause, Random random) throws IOException, InterruptedException {
        for (int done = 0; done < pauses; done++) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(BETWEEN_PAUSES_MILLIS_MAX));
            cell.pauseLeader(pause);
        }
    }
}
