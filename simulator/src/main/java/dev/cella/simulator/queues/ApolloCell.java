package dev.cella.simulator.queues;

import dev.cella.scheduler.batch.apollo.CandidateMachines;
import dev.cella.scheduler.batch.apollo.CompletionEstimate;
import dev.cella.scheduler.batch.apollo.DeferredCorrection;
import dev.cella.scheduler.batch.apollo.SpareAllowance;
import dev.cella.scheduler.batch.apollo.SpareAllowance.Dispatch;
import dev.cella.scheduler.batch.apollo.SpareDraw;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Machines with queues that report their waits, and a job manager for each job. A job manager estimates a task by the mean run
 * time of its job. No report is lost, and all come at the same time.
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

    /** A task that runs longer than estimated is expected to run this part of its time more. */
    private static final double OVERRUN_PART = 0.1;

    private static final String DUPLICATES = "duplicates";
    private static final String DUPLICATES_USEFUL = "duplicatesUseful";
    private static final String SPARE_STARTED = "spareStarted";
    private static final String SPARE_ENDED = "spareEnded";
    private static final String UPGRADES = "upgrades";

    /** What a job manager knows of its job. */
    private static final class Managed {
        final RunningJob running;
        final double meanSeconds;
        final DeferredCorrection correction;

        /** The tasks that were not sent, or were ended as spare work. */
        final Deque<Integer> ready = new ArrayDeque<>();

        /** The tasks that are queued or run as spare work. */
        final List<SpareTask> spare = new ArrayList<>();

        /** How many tasks are queued or run as regular work. */
        int regular;

        double expectedWaits;
        int sent;
        boolean looksAgain;

        Managed(RunningJob running, double meanSeconds) {
            this.running = running;
            this.meanSeconds = meanSeconds;
            this.correction = DeferredCorrection.ofRun(meanSeconds);
            IntStream.range(0, running.job().tasks()).forEach(ready::add);
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

    /** A task that uses what regular tasks leave (3.5). */
    private static final class SpareTask {
        enum State {
            WAITS,
            RUNS,
            /** It runs on, as regular work. */
            UPGRADED,
            OVER
        }

        final Managed job;
        final int task;
        final int machine;
        final double weight;
        final long sinceNanos;
        State state = State.WAITS;

        /** Set when the task is upgraded. */
        @Nullable
        Running estimate;

        SpareTask(Managed job, int task, int machine, double weight, long sinceNanos) {
            this.job = job;
            this.task = task;
            this.machine = machine;
            this.weight = weight;
            this.sinceNanos = sinceNanos;
        }
    }

    private record Row(Sent task, long sinceNanos, boolean isDuplicate) {}

    /** A task that runs, by the estimate of its job manager. */
    private record Running(double beganSeconds, double estimateSeconds) {
        /** As the live scheduler estimates it. */
        double leftSeconds(double nowSeconds) {
            double elapsed = nowSeconds - beganSeconds;
            return Math.max(estimateSeconds - elapsed, OVERRUN_PART * elapsed);
        }
    }

    private final RunParameters parameters;
    private final Geometry geometry;
    private final EventHeap heap;
    private final RunMeter meter;
    private final QueueMachines<Row> machines;
    private final List<List<Running>> running = new ArrayList<>();

    /** By machine: the spare tasks in its queue, and those that run there, the youngest last. */
    private final Map<Integer, List<SpareTask>> spareWaiting = new HashMap<>();

    private final Map<Integer, List<SpareTask>> spareRunning = new HashMap<>();
    private final SpareAllowance allowance;
    private final int tokens;
    private final ReportedWaits reported;
    private final BitSet changed;
    private final BitSet queued;

    /** By machine: until when its last report says what would happen there. */
    private final double[] reportHoldsSeconds;

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
        this.meter = new RunMeter("apollo", 1, parameters, heap);
        this.machines = new QueueMachines<>(geometry);
        this.reported = new ReportedWaits(geometry);
        this.changed = new BitSet(geometry.machines());
        this.queued = new BitSet(geometry.machines());
        this.reportHoldsSeconds = new double[geometry.machines()];
        this.random = RandomStream.PLACEMENT.of(parameters.seed());
        this.heartbeatNanos = parameters.decentral().heartbeatNanos(HEARTBEAT_SECONDS);
        this.hop = parameters.decentral().hopNanos();
        this.tokens = parameters.decentral().apollo().tokens();
        this.allowance = new SpareAllowance(parameters.decentral().apollo().sparePerToken());
        this.cpuSizes = new long[] {geometry.taskCpuMilli()};
        this.memorySizes = new long[] {Math.max(1, geometry.taskMemoryMib())};
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
        meter.decides(job, 0, decisionNanos);
        after(decisionNanos, () -> dispatch(managed));
    }

    private static double meanSeconds(SimulatedJob job) {
        double sum = 0;
        for (int task = 0; task < job.tasks(); task++) {
            sum += job.times().nanos(task);
        }
        return VirtualTime.seconds(sum / job.tasks());
    }

    /** Sends as many tasks as the job's tokens allow, and others as spare work. */
    private void dispatch(Managed job) {
        int regular = job.ready.size();
        if (tokens > 0) {
            Dispatch now = allowance.dispatch(tokens, job.regular, job.spare.size(), job.ready.size());
            regular = now.regular();
            job.spare.stream()
                    .sorted(Comparator.comparingInt(
                            each -> machines.queue(each.machine).size()))
                    .limit(now.upgrades())
                    .toList()
                    .forEach(this::upgrade);
            List<Integer> spare = new ArrayList<>();
            for (int i = 0; i < now.opportunistic(); i++) {
                spare.add(job.ready.removeLast());
            }
            spare.forEach(task -> sendSpare(job, task, now.weight()));
        }
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < regular; i++) {
            open.add(job.ready.remove());
        }
        job.regular += regular;
        send(job, open);
    }

    /** Matches the tasks in batches. A task without a machine is matched again with the next batch. */
    private void send(Managed job, Deque<Integer> open) {
        Map<Integer, Double> ownWaits = new HashMap<>();
        while (!open.isEmpty()) {
            List<Integer> batch = new ArrayList<>();
            while (!open.isEmpty() && batch.size() < BATCH_MAX) {
                batch.add(open.remove());
            }
            List<Match> matches = matching.match(
                    batch.stream().map(task -> request(job, ownWaits)).toList());
            if (matches.isEmpty()) {
                batch.addAll(open);
                keep(job, batch);
                return;
            }
            matches.stream()
                    .sorted(Comparator.comparingDouble(Match::completionSeconds))
                    .forEach(match -> send(job, batch.get(match.task()), match.machine(), ownWaits));
            BitSet matched = new BitSet();
            matches.forEach(match -> matched.set(match.task()));
            for (int place = 0; place < batch.size(); place++) {
                if (!matched.get(place)) {
                    open.addFirst(batch.get(place));
                }
            }
        }
    }

    /** No machine that was asked about will have room. The job manager looks again when machines have reported. */
    private void keep(Managed job, List<Integer> tasks) {
        job.regular -= tasks.size();
        job.ready.addAll(tasks);
        if (!job.looksAgain) {
            job.looksAgain = true;
            after(heartbeatNanos, () -> {
                job.looksAgain = false;
                dispatch(job);
            });
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

    private void send(Managed job, int task, int machine, Map<Integer, Double> ownWaits) {
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

    // ---- spare work

    private void sendSpare(Managed job, int task, double weight) {
        int machine = reported.light(random.nextInt(reported.lightCount()));
        SpareTask spare = new SpareTask(job, task, machine, weight, heap.nowNanos() + hop);
        job.spare.add(spare);
        after(hop, () -> {
            if (spare.state == SpareTask.State.WAITS) {
                at(spareWaiting, machine).add(spare);
                advance(machine);
            }
        });
    }

    private static List<SpareTask> at(Map<Integer, List<SpareTask>> tasks, int machine) {
        return tasks.computeIfAbsent(machine, key -> new ArrayList<>());
    }

    /** Takes no time. A task that waits goes to the end of the same machine's queue of regular work. */
    private void upgrade(SpareTask spare) {
        spare.job.spare.remove(spare);
        spare.job.regular++;
        meter.count(UPGRADES, 1);
        if (spare.state == SpareTask.State.RUNS) {
            spare.state = SpareTask.State.UPGRADED;
            at(spareRunning, spare.machine).remove(spare);
            spare.estimate = estimate(spare.job);
            running.get(spare.machine).add(spare.estimate);
            changed.set(spare.machine);
        } else {
            spare.state = SpareTask.State.OVER;
            at(spareWaiting, spare.machine).remove(spare);
            double wait = reported.waitSeconds(spare.machine, nowSeconds());
            queue(new Sent(spare.job, spare.task, wait), spare.machine, false);
        }
    }

    /** "randomly picked from the opportunistic-task queue" whenever no regular task waits (3.5). */
    private void drawSpare(int machine) {
        List<SpareTask> waiting = at(spareWaiting, machine);
        if (waiting.isEmpty() || !machines.hasRoom(machine)) {
            return;
        }
        List<SpareDraw.Entry> entries = IntStream.range(0, waiting.size())
                .mapToObj(place -> new SpareDraw.Entry(
                        place, waiting.get(place).weight, geometry.taskCpuMilli(), geometry.taskMemoryMib()))
                .toList();
        List<SpareTask> drawn =
                SpareDraw.draw(entries, machines.freeCpuMilli(machine), machines.freeMemoryMib(machine), random)
                        .stream()
                        .map(entry -> waiting.get(entry.task()))
                        .toList();
        waiting.removeAll(drawn);
        drawn.forEach(this::beginSpare);
    }

    private void beginSpare(SpareTask spare) {
        RunningJob job = spare.job.running;
        spare.state = SpareTask.State.RUNS;
        machines.take(spare.machine);
        at(spareRunning, spare.machine).add(spare);
        meter.queued(heap.nowNanos() - spare.sinceNanos);
        meter.count(SPARE_STARTED, 1);
        meter.answered(job.job(), 1, 0);
        meter.begin(job);
        after(job.job().times().nanos(spare.task), () -> endSpare(spare));
    }

    private void endSpare(SpareTask spare) {
        boolean isRegular = spare.state == SpareTask.State.UPGRADED;
        if (spare.state == SpareTask.State.OVER) {
            return;
        }
        leaveSpare(spare);
        if (isRegular) {
            running.get(spare.machine).remove(spare.estimate);
        }
        advance(spare.machine);
        after(hop, () -> {
            meter.end(spare.job.running);
            spare.job.regular -= isRegular ? 1 : 0;
            spare.job.spare.remove(spare);
            dispatch(spare.job);
        });
    }

    /** Returns whether there is room for regular work. The youngest spare task ends if that makes it. */
    private boolean makesRoom(int machine) {
        List<SpareTask> spare = tokens == 0 ? List.of() : at(spareRunning, machine);
        if (!machines.hasRoom(machine) && !spare.isEmpty()) {
            SpareTask youngest = spare.get(spare.size() - 1);
            leaveSpare(youngest);
            youngest.job.running.beginAgain();
            meter.count(SPARE_ENDED, 1);
            after(hop, () -> {
                youngest.job.spare.remove(youngest);
                youngest.job.ready.addFirst(youngest.task);
                dispatch(youngest.job);
            });
        }
        return machines.hasRoom(machine);
    }

    private void leaveSpare(SpareTask spare) {
        spare.state = SpareTask.State.OVER;
        at(spareRunning, spare.machine).remove(spare);
        machines.giveBack(spare.machine);
        meter.free();
    }

    // ---- a machine

    /** Starts what has room. Rows of tasks that have begun elsewhere go. */
    private void advance(int machine) {
        changed.set(machine);
        Deque<Row> queue = machines.queue(machine);
        while (!queue.isEmpty() && (queue.element().task().begun || makesRoom(machine))) {
            Row head = queue.remove();
            if (!head.task().begun) {
                begin(machine, head);
            }
        }
        if (queue.isEmpty()) {
            queued.clear(machine);
            if (tokens > 0) {
                drawSpare(machine);
            }
        }
    }

    /** It runs as long as the mean of its job from now on. */
    private Running estimate(Managed job) {
        return new Running(nowSeconds(), job.meanSeconds);
    }

    private void begin(int machine, Row row) {
        Sent sent = row.task();
        sent.begun = true;
        RunningJob job = sent.job.running;
        Running estimate = estimate(sent.job);
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
            after(hop, () -> {
                meter.end(job);
                sent.job.regular--;
                if (tokens > 0) {
                    dispatch(sent.job);
                }
            });
        });
    }

    // ---- reports

    private void heartbeat() {
        queued.stream()
                .filter(machine -> reportHoldsSeconds[machine] <= nowSeconds())
                .forEach(changed::set);
        changed.stream().filter(queued::get).forEach(this::correct);
        report();
        after(heartbeatNanos, this::heartbeat);
    }

    /** Machines that changed report again; the others would report the same. */
    private void report() {
        changed.stream().forEach(machine -> {
            QueueForecast forecast = forecast(machine, waiting(machine));
            reported.report(machine, forecast.matrix(nowSeconds(), cpuSizes, memorySizes));
            reportHoldsSeconds[machine] = firstEndSeconds(machine);
        });
        changed.clear();
    }

    /** The first estimated end of a task that runs there. If it runs on, those that wait behind it will wait longer. */
    private double firstEndSeconds(int machine) {
        double first = Double.POSITIVE_INFINITY;
        for (Running each : running.get(machine)) {
            first = Math.min(first, nowSeconds() + each.leftSeconds(nowSeconds()));
        }
        return first;
    }

    /** Spare work ends when a regular task needs its room, which counts as free. */
    private QueueForecast forecast(int machine, List<Row> waiting) {
        List<Load> loads = running.get(machine).stream()
                .map(each -> load(each.leftSeconds(nowSeconds())))
                .toList();
        int tasks = loads.size() + spareRunning.getOrDefault(machine, List.of()).size();
        return new QueueForecast(
                machines.freeCpuMilli(machine) + tasks * geometry.taskCpuMilli(),
                machines.freeMemoryMib(machine) + tasks * geometry.taskMemoryMib(),
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
