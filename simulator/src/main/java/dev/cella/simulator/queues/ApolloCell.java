package dev.cella.simulator.queues;

import dev.cella.scheduler.batch.apollo.CandidateMachines;
import dev.cella.scheduler.batch.apollo.CompletionEstimate;
import dev.cella.scheduler.batch.apollo.DeferredCorrection;
import dev.cella.scheduler.batch.apollo.StableMatching;
import dev.cella.scheduler.batch.apollo.StableMatching.Match;
import dev.cella.scheduler.batch.apollo.StableMatching.Request;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunMeter;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunningJob;
import dev.cella.simulator.workload.RandomStream;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.transactions.waits.QueueForecast;
import dev.cella.transactions.waits.QueueForecast.Load;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Machines with queues that report their waits, and a job manager for each job. A job manager estimates a task by the mean run
 * time of its job. Every report arrives, and all of them at the same time.
 *
 * <p>Owned by the thread that runs the simulation.
 */
final class ApolloCell {
    private static final double HEARTBEAT_SECONDS = 1;
    private static final int BATCH_MAX = 1_000;
    private static final int ITERATIONS_MAX = 10;
    private static final int ROWS_MAX = 8;

    /** The random part of an estimate, as a part of the time between reports. */
    private static final double RANDOM_PART = 0.1;

    private static final String DUPLICATES = "duplicates";
    private static final String DUPLICATES_USEFUL = "duplicatesUseful";

    /** What a job manager knows of its job. */
    private static final class Managed {
        final RunningJob running;
        final double meanSeconds;
        final DeferredCorrection correction;
        double expectedWaits;
        int sent;

        Managed(RunningJob running, double meanSeconds) {
            this.running = running;
            this.meanSeconds = meanSeconds;
            this.correction = DeferredCorrection.ofRun(meanSeconds);
        }

        double averageWaitSeconds() {
            return expectedWaits / Math.max(1, sent);
        }
    }

    /** A task that was sent, and all of its rows. */
    private static final class Sent {
        final Managed job;
        final int task;
        final double expectedSeconds;
        int rows;
        boolean begun;

        Sent(Managed job, int task, double expectedSeconds) {
            this.job = job;
            this.task = task;
            this.expectedSeconds = expectedSeconds;
        }
    }

    private record Row(Sent task, long sinceNanos, boolean isDuplicate) {}

    /** A task that runs, by the estimate of its job manager. */
    private record Running(double estimatedEndSeconds) {}

    private final RunParameters parameters;
    private final Geometry geometry;
    private final EventHeap heap;
    private final RunMeter meter;
    private final QueueMachines<Row> machines;
    private final List<List<Running>> running = new ArrayList<>();
    private final ReportedWaits reported;
    private final BitSet changed;
    private final BitSet queued;
    private final StableMatching matching = new StableMatching(ITERATIONS_MAX);
    private final Random random;
    private final long heartbeatNanos;
    private final long hop;
    private final long[] cpuSizes;
    private final long[] memorySizes;

    ApolloCell(RunParameters parameters, EventHeap heap) {
        this.parameters = parameters;
        this.geometry = parameters.geometry();
        this.heap = heap;
        this.meter = new RunMeter("apollo", geometry, heap);
        this.machines = new QueueMachines<>(geometry);
        this.reported = new ReportedWaits(geometry);
        this.changed = new BitSet(geometry.machines());
        this.queued = new BitSet(geometry.machines());
        this.random = RandomStream.PLACEMENT.of(parameters.seed());
        this.heartbeatNanos = parameters.decentral().heartbeatNanos(HEARTBEAT_SECONDS);
        this.hop = parameters.decentral().hopNanos();
        this.cpuSizes = new long[] {geometry.taskCpuMilli()};
        this.memorySizes = new long[] {geometry.taskMemoryMib()};
        for (int machine = 0; machine < geometry.machines(); machine++) {
            running.add(new ArrayList<>(1));
        }
        after(heartbeatNanos, this::heartbeat);
    }

    void prefill(List<StandingJob> standing) {
        machines.prefill(standing, parameters, heap, meter, this::advance);
        changed.set(0, machines.count());
        report();
    }

    private void after(long nanos, EventHeap.Event event) {
        heap.at(heap.nowNanos() + nanos, event);
    }

    private double nowSeconds() {
        return VirtualTime.seconds(heap.nowNanos());
    }

    // ---- a job manager

    void submit(SimulatedJob job) {
        Managed managed = new Managed(meter.submitted(job), meanSeconds(job));
        long decisionNanos = parameters.setUp(job.workload()).decisionTime().nanos(job.tasks());
        meter.decided(job, 0, decisionNanos);
        after(decisionNanos, () -> send(managed));
    }

    private static double meanSeconds(SimulatedJob job) {
        double sum = 0;
        for (int task = 0; task < job.tasks(); task++) {
            sum += job.times().nanos(task);
        }
        return VirtualTime.seconds(sum / job.tasks());
    }

    /** Matches the tasks in batches. A task without a machine is matched again with the next batch. */
    private void send(Managed job) {
        Map<Integer, Double> ownWaits = new HashMap<>();
        Deque<Integer> open = new ArrayDeque<>();
        for (int task = 0; task < job.running.job().tasks(); task++) {
            open.add(task);
        }
        while (!open.isEmpty()) {
            List<Integer> batch = new ArrayList<>();
            while (!open.isEmpty() && batch.size() < BATCH_MAX) {
                batch.add(open.remove());
            }
            List<Match> matches = matching.match(
                    batch.stream().map(task -> request(job, ownWaits)).toList());
            matches.stream()
                    .sorted(Comparator.comparingDouble(Match::completionSeconds))
                    .forEach(match -> dispatch(job, batch.get(match.task()), match.machine(), ownWaits));
            BitSet matched = new BitSet();
            matches.forEach(match -> matched.set(match.task()));
            for (int place = 0; place < batch.size(); place++) {
                if (!matched.get(place)) {
                    open.addFirst(batch.get(place));
                }
            }
        }
    }

    private Request request(Managed job, Map<Integer, Double> ownWaits) {
        int[] candidates = new int[CandidateMachines.PAPER.lightlyLoaded()];
        double[] completion = new double[candidates.length];
        for (int place = 0; place < candidates.length; place++) {
            int machine = reported.light(random.nextInt(reported.lightCount()));
            double wait = reported.waitSeconds(machine, nowSeconds()) + ownWaits.getOrDefault(machine, 0.0);
            double jitter = RANDOM_PART * VirtualTime.seconds(heartbeatNanos) * random.nextDouble();
            candidates[place] = machine;
            completion[place] = new CompletionEstimate(0, wait, job.meanSeconds).withoutFailureSeconds() + jitter;
        }
        return new Request(candidates, completion);
    }

    private void dispatch(Managed job, int task, int machine, Map<Integer, Double> ownWaits) {
        double wait = reported.waitSeconds(machine, nowSeconds()) + ownWaits.getOrDefault(machine, 0.0);
        long slots = geometry.slots() / geometry.machines();
        ownWaits.merge(machine, job.meanSeconds / slots, Double::sum);
        job.sent++;
        job.expectedWaits += wait;
        Sent sent = new Sent(job, task, wait);
        queue(sent, machine, false);
    }

    private void queue(Sent sent, int machine, boolean isDuplicate) {
        sent.rows++;
        after(hop, () -> {
            machines.queue(machine).add(new Row(sent, heap.nowNanos(), isDuplicate));
            queued.set(machine);
            advance(machine);
        });
    }

    // ---- a machine

    /** Starts what has room. Rows of tasks that have begun elsewhere go. */
    private void advance(int machine) {
        changed.set(machine);
        Deque<Row> queue = machines.queue(machine);
        while (!queue.isEmpty() && (queue.element().task().begun || machines.hasRoom(machine))) {
            Row head = queue.remove();
            if (!head.task().begun) {
                begin(machine, head);
            }
        }
        if (queue.isEmpty()) {
            queued.clear(machine);
        }
    }

    private void begin(int machine, Row row) {
        Sent sent = row.task();
        sent.begun = true;
        RunningJob job = sent.job.running;
        Running estimate = new Running(nowSeconds() + sent.job.meanSeconds);
        machines.take(machine);
        running.get(machine).add(estimate);
        meter.queued(heap.nowNanos() - row.sinceNanos());
        meter.count(DUPLICATES_USEFUL, row.isDuplicate() ? 1 : 0);
        meter.answered(job.job(), 1, 0);
        meter.begin(job);
        after(job.job().times().nanos(sent.task), () -> {
            running.get(machine).remove(estimate);
            machines.giveBack(machine);
            meter.free();
            advance(machine);
            after(hop, () -> meter.end(job));
        });
    }

    // ---- reports

    private void heartbeat() {
        changed.stream().filter(queued::get).forEach(this::correct);
        report();
        after(heartbeatNanos, this::heartbeat);
    }

    /** Machines that changed report again; the others would report the same. */
    private void report() {
        changed.stream()
                .forEach(machine -> reported.report(
                        machine, forecast(machine, waiting(machine)).matrix(nowSeconds(), cpuSizes, memorySizes)));
        changed.clear();
    }

    private QueueForecast forecast(int machine, List<Row> waiting) {
        List<Load> loads = running.get(machine).stream()
                .map(each -> load(Math.max(0, each.estimatedEndSeconds() - nowSeconds())))
                .toList();
        return new QueueForecast(
                machines.freeCpuMilli(machine) + loads.size() * geometry.taskCpuMilli(),
                machines.freeMemoryMib(machine) + loads.size() * geometry.taskMemoryMib(),
                loads,
                waiting.stream().map(row -> load(row.task().job.meanSeconds)).toList());
    }

    private List<Row> waiting(int machine) {
        return machines.queue(machine).stream().filter(row -> !row.task().begun).toList();
    }

    private Load load(double seconds) {
        return new Load(geometry.taskCpuMilli(), geometry.taskMemoryMib(), seconds);
    }

    /** The job managers of the queued tasks look at the machine's present waits, and decide again where that is due. */
    private void correct(int machine) {
        List<Row> rows = waiting(machine);
        QueueForecast forecast = forecast(machine, rows);
        for (int place = 0; place < rows.size(); place++) {
            correct(rows.get(place), forecast.waitSeconds(place));
        }
    }

    private void correct(Row row, double updatedSeconds) {
        Sent sent = row.task();
        double elapsed = VirtualTime.seconds(heap.nowNanos() - row.sinceNanos());
        boolean isDue = sent.rows < ROWS_MAX
                && sent.job
                        .correction
                        .reason(sent.expectedSeconds, updatedSeconds, elapsed, sent.job.averageWaitSeconds())
                        .isPresent();
        if (isDue) {
            int other = reported.light(random.nextInt(reported.lightCount()));
            double wait = reported.waitSeconds(other, nowSeconds());
            if (wait + sent.job.correction.significantSeconds() < updatedSeconds) {
                meter.count(DUPLICATES, 1);
                queue(sent, other, true);
            }
        }
    }

    RunResult result() {
        return meter.result();
    }
}
