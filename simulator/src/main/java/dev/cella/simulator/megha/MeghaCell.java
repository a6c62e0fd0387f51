package dev.cella.simulator.megha;

import dev.cella.scheduler.batch.megha.ClusterState;
import dev.cella.scheduler.batch.megha.Federation;
import dev.cella.scheduler.batch.megha.GlobalMaster;
import dev.cella.scheduler.batch.megha.GlobalMaster.Choice;
import dev.cella.scheduler.batch.megha.GlobalMaster.Request;
import dev.cella.scheduler.batch.megha.GlobalMaster.Waiting;
import dev.cella.scheduler.batch.megha.LocalMaster;
import dev.cella.scheduler.batch.megha.UserShares;
import dev.cella.simulator.engine.DecentralSetUp;
import dev.cella.simulator.engine.DecentralSetUp.MeghaSetUp;
import dev.cella.simulator.engine.DecentralSetUp.Variant;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.RunMeter;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunningJob;
import dev.cella.simulator.workload.RandomStream;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The masters of a federation and their workers, of one task each.
 *
 * <p>With the paper's variant a message takes a hop: to the local master, from there to the worker, and the same way back. A
 * global master learns of ended tasks by heartbeats and with answers.
 *
 * <p>The other variants do what the authors' simulator does. Each placement is verified alone: at once for a job that comes, and
 * a hop after a refreshed view. It takes two hops to the worker. A refusal takes a hop and refreshes the view of all local
 * masters; an accepted placement brings no state. The worker of an ended task is free at once, and a hop later the whole view of
 * the global master that placed the task is refreshed. So a view may be refreshed while placements are on their way, and then
 * their workers look free again. Heartbeats begin with the first job. Run times are whole seconds. Jobs go first come, first
 * served; one that was matched as a whole and has a task refused goes to the front.
 *
 * <p>Owned by the thread that runs the simulation.
 */
final class MeghaCell {
    private record Task(QueuedJob queued, int number, int globalMaster) {
        RunningJob job() {
            return queued.running;
        }
    }

    /** A job at its global master. */
    private static final class QueuedJob {
        final RunningJob running;

        /** How many of its tasks wait to be matched. */
        int unmatched;

        /** Its place in the authors' queue: lower ones go first. */
        long rank;

        QueuedJob(RunningJob running) {
            this.running = running;
            this.unmatched = running.job().tasks();
        }
    }

    /** A task on a worker, from its verification on. */
    private static final class Launched {
        final Waiting<Task> waiting;
        boolean runs;
        boolean isPreempted;

        Launched(Waiting<Task> waiting) {
            this.waiting = waiting;
        }
    }

    private static final double PAPER_HEARTBEAT_SECONDS = 10;
    private static final double PUBLIC_HEARTBEAT_SECONDS = 30;
    private static final String INCONSISTENCIES = "inconsistencies";
    private static final String REPARTITIONS = "repartitions";
    private static final String PREEMPTIONS = "preemptions";

    private final RunParameters parameters;
    private final DecentralSetUp setUp;
    private final EventHeap heap;
    private final RunMeter meter;
    private final Federation federation;
    private final List<GlobalMaster<Task>> globals = new ArrayList<>();
    private final List<MasterClock> globalClocks = new ArrayList<>();
    private final List<LocalMaster> locals = new ArrayList<>();
    private final List<MasterClock> localClocks = new ArrayList<>();

    /** By worker: what runs there. */
    private final @Nullable Launched[] launched;

    private final long hop;
    private int submitted;

    /** The rank of the job that went to the front of a queue last. */
    private long frontRank;

    MeghaCell(RunParameters parameters, EventHeap heap) {
        this.parameters = parameters;
        this.setUp = parameters.decentral();
        this.heap = heap;
        this.meter = new RunMeter("megha", setUp.megha().globalMasters(), parameters, heap);
        this.federation = federation(parameters);
        this.launched = new Launched[federation.workers()];
        this.hop = setUp.hopNanos();
        Random random = RandomStream.PLACEMENT.of(parameters.seed());
        double[] shares =
                setUp.megha().shares().stream().mapToDouble(Double::doubleValue).toArray();
        UserShares users = new UserShares(shares, federation.workers());
        for (int global = 0; global < setUp.megha().globalMasters(); global++) {
            globals.add(new GlobalMaster<>(federation, global, choice(), users, new Random(random.nextLong())));
            globalClocks.add(new MasterClock(heap));
        }
        for (int local = 0; local < setUp.megha().localMasters(); local++) {
            locals.add(new LocalMaster(federation, local, users.users() > 1));
            localClocks.add(new MasterClock(heap));
        }
        if (!isPublic()) {
            long heartbeat = setUp.heartbeatNanos(PAPER_HEARTBEAT_SECONDS);
            after(heartbeat, () -> heartbeat(heartbeat));
        }
    }

    /** Throws if the workers cannot be divided among the masters. */
    static void check(RunParameters parameters) {
        DecentralSetUp setUp = parameters.decentral();
        long workers = parameters.geometry().slots();
        if (workers < (long) setUp.megha().globalMasters() * setUp.megha().localMasters()
                || workers > Integer.MAX_VALUE) {
            throw new ImpossibleParameterException(
                    workers + " workers cannot be divided: each of "
                            + setUp.megha().localMasters() + " local masters has a partition for each of "
                            + setUp.megha().globalMasters() + " global masters",
                    "more --machines, or fewer masters");
        }
    }

    private static Federation federation(RunParameters parameters) {
        check(parameters);
        MeghaSetUp masters = parameters.decentral().megha();
        return new Federation((int) parameters.geometry().slots(), masters.globalMasters(), masters.localMasters());
    }

    private boolean isPublic() {
        return setUp.megha().variant() != Variant.PAPER;
    }

    private Choice choice() {
        return switch (setUp.megha().variant()) {
            case PAPER -> Choice.FIRST_IN_TURNS;
            case PUBLIC -> Choice.RANDOM;
            case ORIGINAL -> Choice.FIRST_IN_ORDER;
        };
    }

    private void after(long nanos, EventHeap.Event event) {
        heap.at(heap.nowNanos() + nanos, event);
    }

    // ---- before the first job

    /** Standing tasks hold workers at random, each as many as it needs of their size. The masters know of them. */
    void prefill(List<StandingJob> standing) {
        Random random = RandomStream.PREFILL.of(parameters.seed());
        int[] shuffled = shuffled(random);
        int next = 0;
        for (StandingJob job : standing) {
            long workersPerTask = Math.max(
                    1,
                    Math.round((double) job.cpuMilli() / parameters.geometry().taskCpuMilli()));
            int count = (int) Math.min(shuffled.length - next, job.tasks() * workersPerTask);
            int[] held = new int[count];
            System.arraycopy(shuffled, next, held, 0, count);
            next += count;
            for (int worker : held) {
                locals.get(federation.localMaster(worker)).launch(worker, UserShares.NOBODY);
            }
            meter.standing(count * parameters.geometry().taskCpuMilli());
            if (!job.isEverlasting()) {
                heap.at(job.endNanos(), () -> endStanding(held));
            }
        }
        locals.forEach(local -> globals.forEach(global -> global.learn(local.state())));
    }

    private int[] shuffled(Random random) {
        int[] workers = new int[federation.workers()];
        for (int worker = 0; worker < workers.length; worker++) {
            int other = random.nextInt(worker + 1);
            workers[worker] = workers[other];
            workers[other] = worker;
        }
        return workers;
    }

    private void endStanding(int[] held) {
        for (int worker : held) {
            locals.get(federation.localMaster(worker)).end(worker);
        }
        meter.standing(-held.length * parameters.geometry().taskCpuMilli());
    }

    // ---- a global master

    /** Jobs go to the users in turns; each user has one global master, and one user's jobs go to all in turns. */
    void submit(SimulatedJob job) {
        int users = setUp.megha().shares().size();
        int turn = submitted++;
        if (turn == 0 && isPublic()) {
            after(publicHeartbeatNanos(), this::publicHeartbeat);
        }
        int user = turn % users;
        int global = (users == 1 ? turn : user) % globals.size();
        QueuedJob queued = new QueuedJob(meter.submitted(job));
        long decisionNanos = parameters.setUp(job.workload()).decisionTime().nanos(job.tasks());
        if (isPublic() && decisionNanos == 0) {
            meter.decides(job, 0, 0);
            decide(queued, global, user);
            return;
        }
        long begins = globalClocks.get(global).work(decisionNanos, () -> decide(queued, global, user));
        meter.decides(job, begins - heap.nowNanos(), decisionNanos);
    }

    private void decide(QueuedJob job, int global, int user) {
        GlobalMaster<Task> master = globals.get(global);
        for (int task = 0; task < job.running.job().tasks(); task++) {
            master.submit(new Task(job, task, global), user, List.of(), job.rank);
        }
        match(global);
    }

    /** One message goes to each local master whose workers were chosen. */
    private void match(int global) {
        if (isPublic()) {
            verifyAlone(global, 0);
            return;
        }
        Map<Integer, List<Request<Task>>> byLocal = new TreeMap<>();
        for (Request<Task> request : globals.get(global).match()) {
            int local = federation.localMaster(request.worker());
            byLocal.computeIfAbsent(local, key -> new ArrayList<>()).add(request);
        }
        byLocal.forEach((local, requests) -> after(
                hop, () -> localClocks.get(local).work(stateNanos(local), () -> verify(local, global, requests))));
    }

    /** The work on the state of a local master's workers. */
    private long stateNanos(int local) {
        return setUp.megha().workerNanos() * (federation.clusterEnd(local) - federation.clusterBegin(local));
    }

    // ---- a local master

    private void verify(int local, int global, List<Request<Task>> requests) {
        List<Waiting<Task>> refused = new ArrayList<>();
        for (Request<Task> request : requests) {
            boolean isVerified = isVerified(local, request);
            meter.answered(request.waiting().task().job().job(), isVerified ? 1 : 0, isVerified ? 0 : 1);
            if (isVerified) {
                meter.count(REPARTITIONS, request.isExternal() ? 1 : 0);
                launch(request, hop);
            } else {
                meter.count(INCONSISTENCIES, 1);
                refused.add(request.waiting());
            }
        }
        ClusterState state = locals.get(local).state();
        after(hop, () -> globalClocks.get(global).work(stateNanos(local), () -> learn(global, state, refused)));
    }

    private void verifyAlone(int global, long afterNanos) {
        for (Request<Task> request : globals.get(global).match()) {
            request.waiting().task().queued().unmatched--;
            after(afterNanos, () -> verifyAlone(global, request));
        }
    }

    private void verifyAlone(int global, Request<Task> request) {
        boolean isVerified = isVerified(federation.localMaster(request.worker()), request);
        meter.answered(request.waiting().task().job().job(), isVerified ? 1 : 0, isVerified ? 0 : 1);
        if (isVerified) {
            meter.count(REPARTITIONS, request.isExternal() ? 1 : 0);
            launch(request, 2 * hop);
        } else {
            meter.count(INCONSISTENCIES, 1);
            after(hop, () -> {
                putBackAlone(global, request.waiting());
                after(0, () -> refresh(global));
            });
        }
    }

    /** A job that was matched as a whole goes to the front. Else the task waits with the others of its job. */
    private void putBackAlone(int global, Waiting<Task> waiting) {
        QueuedJob job = waiting.task().queued();
        if (job.unmatched++ == 0) {
            job.rank = --frontRank;
        }
        globals.get(global).putBack(waiting, job.rank);
    }

    /** The present state of all local masters. */
    private void refresh(int global) {
        locals.forEach(local -> globals.get(global).learn(local.state()));
        if (globals.get(global).waiting() > 0) {
            verifyAlone(global, hop);
        }
    }

    private boolean isVerified(int local, Request<Task> request) {
        LocalMaster master = locals.get(local);
        int user = request.waiting().user();
        if (request.victim() == UserShares.NOBODY) {
            return master.launch(request.worker(), user);
        }
        boolean isTaken = master.preempt(request.worker(), request.victim(), user);
        if (isTaken) {
            meter.count(PREEMPTIONS, 1);
            preempt(request.worker());
        }
        return isTaken;
    }

    /** The task on the worker is ended for another, and waits again at its global master. */
    private void preempt(int worker) {
        Launched victim = launched[worker];
        if (victim == null) {
            return;
        }
        victim.isPreempted = true;
        Task task = victim.waiting.task();
        if (victim.runs) {
            meter.free();
            task.job().beginAgain();
        }
        after(hop, () -> {
            if (isPublic()) {
                putBackAlone(task.globalMaster(), victim.waiting);
            } else {
                globals.get(task.globalMaster()).putBack(victim.waiting);
            }
        });
    }

    private void launch(Request<Task> request, long wayNanos) {
        Launched next = new Launched(request.waiting());
        launched[request.worker()] = next;
        after(wayNanos, () -> begin(next, request.worker()));
    }

    private void begin(Launched task, int worker) {
        if (task.isPreempted) {
            return;
        }
        RunningJob job = task.waiting.task().job();
        task.runs = true;
        meter.begin(job);
        long nanos = job.job().times().nanos(task.waiting.task().number());
        after(runNanos(nanos), () -> stop(task, worker));
    }

    /** How long a task runs that should run for so long. */
    private long runNanos(long nanos) {
        return isPublic() ? nanos - nanos % VirtualTime.NANOS_PER_SECOND : nanos;
    }

    /**
     * The local master hears a hop later that the task has ended, in the public variant at once. Until then it can give the
     * worker only to a preemptor.
     */
    private void stop(Launched task, int worker) {
        if (!task.isPreempted) {
            meter.free();
            launched[worker] = launched[worker] == task ? null : launched[worker];
            if (isPublic()) {
                ended(task, worker);
            } else {
                after(hop, () -> ended(task, worker));
            }
        }
    }

    private void ended(Launched task, int worker) {
        if (launched[worker] == null) {
            locals.get(federation.localMaster(worker)).end(worker);
        }
        after(hop, () -> {
            RunningJob job = task.waiting.task().job();
            meter.end(job, runNanos(job.job().times().longest()));
            if (isPublic()) {
                refresh(task.waiting.task().globalMaster());
            }
        });
    }

    // ---- the way back

    private void learn(int global, ClusterState state, List<Waiting<Task>> refused) {
        globals.get(global).learn(state);
        refused.forEach(globals.get(global)::putBack);
        if (globals.get(global).waiting() > 0) {
            match(global);
        }
    }

    private void heartbeat(long everyNanos) {
        for (int local = 0; local < locals.size(); local++) {
            ClusterState state = locals.get(local).state();
            long nanos = stateNanos(local);
            for (int global = 0; global < globals.size(); global++) {
                int to = global;
                after(hop, () -> globalClocks.get(to).work(nanos, () -> learn(to, state, List.of())));
            }
        }
        after(everyNanos, () -> heartbeat(everyNanos));
    }

    private void publicHeartbeat() {
        for (int global = 0; global < globals.size(); global++) {
            refresh(global);
        }
        after(publicHeartbeatNanos(), this::publicHeartbeat);
    }

    private long publicHeartbeatNanos() {
        return setUp.heartbeatNanos(PUBLIC_HEARTBEAT_SECONDS) + hop;
    }

    RunResult result() {
        return meter.result();
    }
}
