package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Placing from end to end: users submit jobs, scheduler processes plan on their private replicas and commit over their
 * streams, servers with synced logs decide, and the feed brings the result to every scheduler. All are processes of this
 * machine.
 */
public final class PlaceBench {
    /** More jobs at once than a scheduler has transactions in flight would only wait. */
    private static final int USERS_A_SCHEDULER = 8;

    private static final int QUIET_TASKS_A_JOB = 100;

    /**
     * The size of the measurement.
     *
     * @param schedulers of type batch, each a process
     * @param tasks of a job in the load at full speed
     * @param quietJobsPerSecond jobs of 100 tasks in the other load
     * @param each how long each load is measured
     * @param warmMax how long each load warms up at most
     */
    public record Question(
            int machines,
            int schedulers,
            int tasks,
            int quietJobsPerSecond,
            Duration each,
            Duration warmMax,
            long seed) {}

    /**
     * Two loads, one after the other, on one cell.
     *
     * @param full as many jobs as go
     * @param quiet jobs at a fixed rate, for the time that a job waits
     */
    public record Report(
            Conditions conditions, Servers servers, Question question, PlaceResults full, PlaceResults quiet) {}

    private final BenchedCell cell;
    private final Question question;
    private final List<String> schedulers;

    private PlaceBench(BenchedCell cell, Question question) {
        this.cell = cell;
        this.question = question;
        this.schedulers = IntStream.range(0, question.schedulers())
                .mapToObj(scheduler -> "place-" + scheduler)
                .toList();
    }

    /**
     * Founds a cell, starts its schedulers, and measures both loads.
     *
     * @param progress is told how far it is
     */
    public static Report run(Servers servers, Question question, Consumer<String> progress)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers, progress)) {
            Conditions conditions = cell.conditions();
            cell.say("registering %,d machines", question.machines());
            cell.putMachines(question.machines());
            PlaceBench bench = new PlaceBench(cell, question);
            cell.startSchedulers(bench.schedulers, question.seed());
            OfferedJobs full = OfferedJobs.closed(question.tasks(), USERS_A_SCHEDULER);
            OfferedJobs quiet = OfferedJobs.open(QUIET_TASKS_A_JOB, question.quietJobsPerSecond());
            return new Report(
                    conditions, servers, question, bench.measure("full", full), bench.measure("quiet", quiet));
        }
    }

    private PlaceResults measure(String name, OfferedJobs offered) throws IOException, InterruptedException {
        try (JobUsers users = new JobUsers(cell, offered, name, schedulers)) {
            cell.say("%s: begins", name);
            users.start();
            Duration warm =
                    WarmUp.await(cell, users, Duration.ZERO, question.each().dividedBy(2), question.warmMax());
            Compiling compiling = Compiling.now(cell.others());
            Moment begin = Moment.now(cell);
            cell.say("measuring for %d s", question.each().toSeconds());
            users.beginMeasuring();
            users.goOn(question.each());
            users.awaitFirst();
            users.endMeasuring();
            Moment end = Moment.now(cell);
            double compiled = Compiling.now(cell.others()).since(compiling);
            Map<String, Double> memory = cell.mibByPart();
            users.finish();
            return results(begin, end, users, memory, compiled, warm.toNanos() / 1e9);
        }
    }

    /** The counters and the processor time of all parts at one moment. */
    private record Moment(long nanos, ServerMetrics metrics, PartProcess leader, Used used, Duration schedulers) {
        static Moment now(BenchedCell cell) throws IOException, InterruptedException {
            PartProcess leader = cell.leading();
            return new Moment(System.nanoTime(), cell.metrics(), leader, Used.now(cell, leader), cell.schedulersCpu());
        }

        double claims(String result) {
            return metrics.sum("cella_scheduler_claims_total", "result=\"" + result + "\"");
        }

        double transactions() {
            return metrics.sum("cella_scheduler_transactions_total", "result=\"successful\"");
        }
    }

    private static PlaceResults results(
            Moment begin,
            Moment end,
            JobUsers users,
            Map<String, Double> mibByPart,
            double compilingFraction,
            double warmSeconds) {
        if (begin.leader != end.leader) {
            throw new IllegalStateException("the leader has changed while it was measured: measure again");
        }
        double seconds = (end.nanos - begin.nanos) / 1e9;
        double placements = end.claims("accepted") - begin.claims("accepted");
        return new PlaceResults(
                placements / seconds,
                (end.transactions() - begin.transactions()) / seconds,
                Math.round(end.claims("conflicted") - begin.claims("conflicted")),
                users.placedNanos().getValueAtPercentile(50) / 1e6,
                users.placedNanos().getValueAtPercentile(99) / 1e6,
                cpuMicrosByPart(begin, end, placements),
                mibByPart,
                compilingFraction,
                warmSeconds);
    }

    private static Map<String, Double> cpuMicrosByPart(Moment begin, Moment end, double placements) {
        Duration leader = end.used.leader().minus(begin.used.leader());
        Duration followers = end.used.servers().minus(begin.used.servers()).minus(leader);
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("leader", micros(leader, placements));
        parts.put("followers", micros(followers, placements));
        parts.put("schedulers", micros(end.schedulers.minus(begin.schedulers), placements));
        parts.put("users", micros(end.used.client().minus(begin.used.client()), placements));
        return parts;
    }

    private static double micros(Duration cpu, double placements) {
        return placements == 0 ? 0 : cpu.toNanos() / 1e3 / placements;
    }
}
