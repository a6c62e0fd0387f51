package dev.cella.agent.federation;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.cella.agent.reconciler.Adopted;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.agent.runner.TaskRunner;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.job.JobRules;
import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.PrivateReplica;
import dev.cella.client.live.ReplicaListener;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs attempts as jobs of a member cell, and follows that cell's feed to see how they fare.
 *
 * <h2>Once</h2>
 *
 * <p>The name of a twin follows from its attempt. If the answer to a submission is lost, this asks whether the member cell has
 * the job before it submits it again. A twin that arrives after it was given up is stopped.
 *
 * <h2>No room</h2>
 *
 * <p>The home places on a view of the member cell that may be old. A twin that waits for a machine longer than the patience is
 * stopped and given back: the home places the task again, and its restarts do not count that.
 *
 * <h2>A member cell that is away</h2>
 *
 * <p>Then {@link #isReachable} is false, the lease of the machine is not renewed, and the home gives its tasks up. They are
 * stopped when the member cell is back. Only after the last of them has ended does the machine register again.
 *
 * <p>Owned by the given executor, which has one thread.
 */
public final class TwinRunner implements TaskRunner {
    /** The attribute of a machine that is a cell: the name of that cell. Other machines do not have it. */
    public static final String CELL_ATTRIBUTE = "cell";

    private static final Logger LOG = LoggerFactory.getLogger(TwinRunner.class);

    private static final int EXIT_TERMINATED = 143;
    private static final long LOOK_EVERY_MILLIS = 500;
    private static final long RETRY_MILLIS_MIN = 100;
    private static final int RETRY_DOUBLINGS_MAX = 5;
    private static final int GIVEN_UP_MAX = 10_000;

    /** These answers do not change when the same job is submitted again. */
    private static final Set<ProblemType> FINAL = EnumSet.of(
            ProblemType.BAD_REQUEST,
            ProblemType.UNAUTHORIZED,
            ProblemType.FORBIDDEN,
            ProblemType.NOT_FOUND,
            ProblemType.CONFLICT,
            ProblemType.TOO_LARGE);

    /** What the runner asks of its agent. */
    public interface Home {
        /** The history of the home cell. */
        Incarnation incarnation();

        /** What the attempt runs: the home's job as it was in that generation, with the task's group alone. */
        Optional<HomeRun> run(Assignment assignment);
    }

    private final ScheduledExecutorService loop;
    private final CellConnection member;
    private final PrivateReplica replica;
    private final Home home;
    private final long patienceMillis;
    private final LongSupplier nowMillis;
    private final Consumer<CellView> machinesMoved;
    private final Map<PlacementId, TwinAttempt> twins = new HashMap<>();
    private final GivenUpTwins givenUp = new GivenUpTwins(GIVEN_UP_MAX);

    /**
     * @param patienceMillis how long a twin may wait for a machine
     * @param machinesMoved receives the member cell's view when its machines may have changed
     */
    public TwinRunner(
            ScheduledExecutorService loop,
            CellConnection member,
            Home home,
            long patienceMillis,
            LongSupplier nowMillis,
            SplittableRandom random,
            Consumer<CellView> machinesMoved) {
        this.loop = loop;
        this.member = member;
        this.home = home;
        this.patienceMillis = patienceMillis;
        this.nowMillis = nowMillis;
        this.machinesMoved = machinesMoved;
        this.replica = new PrivateReplica(member, loop, Backoff.standard(random), new View());
    }

    /** Begins to follow the member cell. */
    public void follow() {
        replica.start();
        ScheduledFuture<?> unused = loop.scheduleWithFixedDelay(
                this::returnTheImpatient, LOOK_EVERY_MILLIS, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The member cell as far as it is known. Read it on the owner's thread. */
    public CellView view() {
        return replica.view();
    }

    @Override
    public boolean isReachable() {
        return replica.isReached();
    }

    /**
     * The twins that an earlier agent of this home left in the member cell. One that has ended is adopted with its end and is not
     * followed. Without it, the home's attempt would count as lost, or its twin would be submitted a second time.
     */
    public List<Adopted> adopt(Listener listener) {
        List<Adopted> adopted = new ArrayList<>();
        for (JobRow row : view().jobs()) {
            Optional<Job> twin = TwinJob.read(row, home.incarnation());
            twin.ifPresent(job -> adopted.add(adopt(job, row, listener)));
        }
        return adopted;
    }

    private Adopted adopt(Job job, JobRow row, Listener listener) {
        Assignment assignment = TwinJob.assignment(job, home.incarnation()).orElseThrow();
        TwinAttempt twin = new TwinAttempt(assignment.placement(), job, listener);
        twin.isSubmitted = true;
        twin.isStarted = true;
        twin.isToldToEnd = row.isStopped();
        twin.version = row.id().version();
        twin.history = Optional.of(view().incarnation());
        Optional<TaskEnd> end = row.isEnded() ? Optional.of(end(twin, task(row))) : Optional.empty();
        if (end.isEmpty()) {
            twins.put(twin.placement, twin);
        }
        return new Adopted(new Launch(assignment, run(JobRules.complete(job))), 0, end);
    }

    /** What its agent has to know of it. */
    private static GroupRun run(Job twin) {
        Group group = twin.getGroups(0);
        return new GroupRun(
                twin.getName(),
                group.getName(),
                group.getRun().getCommandList(),
                Map.of(),
                Optional.empty(),
                Durations.toMillis(group.getRun().getStopGrace()));
    }

    // ---- attempts

    @Override
    public void start(String machine, Launch launch, Listener listener) {
        loop.execute(() -> startNow(launch.assignment(), listener));
    }

    private void startNow(Assignment assignment, Listener listener) {
        Optional<HomeRun> run = home.run(assignment);
        if (run.isEmpty()) {
            listener.ended(assignment.placement(), TaskEnd.neverStarted(TaskReason.NOT_STARTED));
            return;
        }
        TwinAttempt twin = new TwinAttempt(
                assignment.placement(), TwinJob.of(home.incarnation(), assignment, run.get()), listener);
        twins.put(twin.placement, twin);
        submit(twin);
    }

    private void submit(TwinAttempt twin) {
        then(member.submitJob(twin.job), twin, (answer, failure) -> {
            if (answer != null) {
                known(twin, answer.getVersion());
            } else if (failure != null) {
                notSubmitted(twin, failure);
            }
        });
    }

    private void notSubmitted(TwinAttempt twin, Problem failure) {
        if (FINAL.contains(failure.type())) {
            LOG.warn("twin={} event=refused: {}", twin.name(), failure.detail());
            end(twin, TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        } else {
            later(twin, () -> find(twin));
        }
    }

    /** The member cell may have got it, although no answer came. */
    private void find(TwinAttempt twin) {
        GetJobRequest request = GetJobRequest.newBuilder()
                .setName(twin.name())
                .setLinearizable(true)
                .build();
        then(member.getJob(request), twin, (found, failure) -> {
            if (found != null) {
                known(twin, found.getSubmittedVersion());
            } else if (failure != null && failure.type() != ProblemType.NOT_FOUND) {
                later(twin, () -> find(twin));
            } else if (twin.isToldToEnd) {
                givenUp.add(twin.name());
                end(twin, TaskEnd.stopped(EXIT_TERMINATED));
            } else {
                submit(twin);
            }
        });
    }

    private void known(TwinAttempt twin, long version) {
        twin.isSubmitted = true;
        twin.version = version;
        twin.history = Optional.of(view().incarnation());
        twin.failures = 0;
        if (twin.isToldToEnd) {
            stop(twin, false);
        }
        look(twin);
    }

    /** Hands the answer to a call over to the owner, unless the twin has ended meanwhile. */
    private <A> void then(
            CompletableFuture<A> call, TwinAttempt twin, BiConsumer<@Nullable A, @Nullable Problem> answered) {
        CompletableFuture<A> unused = call.whenComplete((answer, failure) -> loop.execute(() -> {
            if (isOpen(twin)) {
                answered.accept(answer, failure == null ? null : problem(failure));
            }
        }));
    }

    private static Problem problem(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof Problem problem ? problem : Problem.unavailable(String.valueOf(cause.getMessage()));
    }

    private void later(TwinAttempt twin, Runnable step) {
        long delayMillis = RETRY_MILLIS_MIN << Math.min(twin.failures++, RETRY_DOUBLINGS_MAX);
        ScheduledFuture<?> unused = loop.schedule(
                () -> {
                    if (isOpen(twin)) {
                        step.run();
                    }
                },
                delayMillis,
                TimeUnit.MILLISECONDS);
    }

    private boolean isOpen(TwinAttempt twin) {
        return twins.get(twin.placement) == twin;
    }

    @Override
    public void terminate(PlacementId placement) {
        loop.execute(() -> tellToEnd(placement, false));
    }

    @Override
    public void kill(PlacementId placement) {
        loop.execute(() -> tellToEnd(placement, true));
    }

    private void tellToEnd(PlacementId placement, boolean atOnce) {
        TwinAttempt twin = twins.get(placement);
        if (twin != null) {
            twin.isToldToEnd = true;
            if (twin.isSubmitted) {
                stop(twin, atOnce);
            }
        }
    }

    /** If it has no effect, the agent asks again for one that is told to end, and the next look for one that is returned. */
    private void stop(TwinAttempt twin, boolean atOnce) {
        StopJobRequest.Builder request = StopJobRequest.newBuilder().setName(twin.name());
        if (atOnce) {
            request.setGrace(Duration.getDefaultInstance());
        }
        then(member.stopJob(request.build()), twin, (stopped, failure) -> {
            if (failure != null) {
                LOG.info("twin={} event=not-stopped: {}", twin.name(), failure.detail());
                twin.isBeingReturned = false;
            }
        });
    }

    // ---- the member cell

    private final class View implements ReplicaListener, TouchedRows {
        private boolean touchedMachines;
        private boolean touchedTasks;

        @Override
        public void replaced(CellView view) {
            machinesMoved.accept(view);
            lookAtAll();
        }

        @Override
        public TouchedRows touchedRows() {
            return this;
        }

        @Override
        public void machine(int slot) {
            touchedMachines = true;
        }

        @Override
        public void task(TaskId task) {
            touchedTasks = true;
        }

        @Override
        public void job(JobId job) {
            touchedTasks = true;
        }

        @Override
        public void advanced(CellView view) {
            if (touchedMachines) {
                machinesMoved.accept(view);
            }
            if (touchedTasks || touchedMachines) {
                lookAtAll();
            }
            touchedMachines = false;
            touchedTasks = false;
        }
    }

    private void lookAtAll() {
        List.copyOf(twins.values()).forEach(this::look);
        for (String late : givenUp.names()) {
            view().job(late).filter(row -> !row.isEnded() && !row.isStopped()).ifPresent(row -> {
                var unused =
                        member.stopJob(StopJobRequest.newBuilder().setName(late).build());
                givenUp.remove(late);
            });
        }
    }

    private void look(TwinAttempt twin) {
        Optional<JobRow> row = view().job(twin.name());
        if (row.isPresent()) {
            look(twin, row.get());
        } else if (twin.isSubmitted && isPast(twin)) {
            LOG.warn("twin={} event=gone: its cell does not know it any more", twin.name());
            givenUp.add(twin.name());
            end(twin, TaskEnd.unknown());
        }
    }

    /** Returns whether the view would show the twin. A version means nothing in another history. */
    private boolean isPast(TwinAttempt twin) {
        boolean isSameHistory = twin.history.equals(Optional.of(view().incarnation()));
        return !isSameHistory || view().version().number() >= twin.version;
    }

    private void look(TwinAttempt twin, JobRow row) {
        TaskRow task = task(row);
        boolean waits = task.state() == TaskState.PENDING;
        twin.waitsSinceMillis = waits ? Math.min(twin.waitsSinceMillis, nowMillis.getAsLong()) : TwinAttempt.NEVER;
        boolean hasRun = task.state() == TaskState.RUNNING || task.exitCode().isPresent();
        if (hasRun && !twin.isStarted) {
            twin.isStarted = true;
            twin.listener.started(twin.placement);
        }
        if (row.isEnded()) {
            end(twin, end(twin, task));
        }
    }

    /** The only task of a twin. */
    private TaskRow task(JobRow twin) {
        return view().task(twin.group(0), 0);
    }

    private static TaskEnd end(TwinAttempt twin, TaskRow task) {
        if (task.state() == TaskState.FINISHED) {
            return TaskEnd.exited(task.exitCode().orElse(0));
        }
        if (task.state() == TaskState.FAILED) {
            return new TaskEnd(task.exitCode(), task.reason(), false);
        }
        if (twin.isReturned && !twin.isStarted) {
            return TaskEnd.returned();
        }
        return twin.isToldToEnd ? TaskEnd.stopped(task.exitCode().orElse(EXIT_TERMINATED)) : TaskEnd.unknown();
    }

    private void end(TwinAttempt twin, TaskEnd end) {
        if (twins.remove(twin.placement, twin)) {
            twin.listener.ended(twin.placement, end);
        }
    }

    private void returnTheImpatient() {
        long now = nowMillis.getAsLong();
        for (TwinAttempt twin : List.copyOf(twins.values())) {
            boolean isLate = twin.waitsSinceMillis != TwinAttempt.NEVER && now - twin.waitsSinceMillis > patienceMillis;
            if (isLate && isReachable() && !twin.isToldToEnd && !twin.isBeingReturned) {
                LOG.info("twin={} event=returned: no machine of its cell had room for it in time", twin.name());
                twin.isReturned = true;
                twin.isBeingReturned = true;
                stop(twin, true);
            }
        }
    }

    /** Leaves its twins to the next agent. */
    @Override
    public void close() {
        replica.close();
    }
}
