package dev.cella.chaos.processes;

import com.google.protobuf.util.Durations;
import dev.cella.chaos.history.History;
import dev.cella.chaos.history.UserCall;
import dev.cella.chaos.scenario.Load;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.HttpCellOptions;
import dev.cella.client.proto.Atomicity;
import dev.cella.client.proto.ConflictRule;
import dev.cella.client.proto.Gang;
import dev.cella.client.proto.GetCellRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobStopped;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.PutPoolRequest;
import dev.cella.client.proto.Restart;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.StopJobRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The users of the cell: they submit jobs, stop some, and read what they wrote. One thread of its own runs {@link #run}; others
 * may only ask for what faults want of users.
 */
final class ProcessUsers implements Runnable {
    /** A linearizable read. */
    record Seen(long askedAtNanos, long answeredAtNanos, long version) {}

    private record Due(long atNanos, Runnable call) {}

    private static final HttpCellOptions PATIENCE = new HttpCellOptions(Duration.ofSeconds(1), Duration.ofSeconds(3));
    private static final long MILLI = 1_000_000;
    private static final long READ_EVERY_NANOS = 700 * MILLI;

    /** Every attempt takes some processor time of the one machine that runs them all. */
    private static final int TASKS_MAX = 3;

    /** Long enough for every run, and not for ever: nobody has to look for tasks that were left behind. */
    private static final int SERVICE_SECONDS = 900;

    private static final int LARGE_WORDS = 12;
    private static final int LARGE_WORD_BYTES = 3_000;

    private final CellAddresses addresses;
    private final HttpCell cell;
    private final List<String> schedulers;
    private final Load load;
    private final LongSupplier clock;
    private final SplittableRandom random;
    private final Queue<Runnable> orders = new ConcurrentLinkedQueue<>();
    private final List<Due> due = new ArrayList<>();
    private final List<UserCall> calls = new ArrayList<>();
    private final List<Seen> reads = new ArrayList<>();
    private final List<History.Overload> overloads = new ArrayList<>();
    private final Map<String, Integer> wanted = new ConcurrentHashMap<>();
    private long nextRead;
    private int jobs;
    private Optional<Runnable> stubborn = Optional.empty();
    private boolean lostLast;
    private final AtomicLong repliesLost = new AtomicLong();
    private volatile boolean losesReplies;
    private volatile boolean finishing;
    private volatile boolean over;

    /**
     * @param clock nanoseconds since the run began
     */
    ProcessUsers(
            CellAddresses addresses,
            List<String> schedulers,
            Load load,
            long overMillis,
            LongSupplier clock,
            SplittableRandom random) {
        this.addresses = addresses;
        this.cell = new HttpCell(addresses, PATIENCE);
        this.schedulers = schedulers;
        this.load = load;
        this.clock = clock;
        this.random = random;
        for (int job = 0; job < jobsOf(load); job++) {
            due.add(new Due(random.nextLong(overMillis * MILLI), this::submitAny));
        }
    }

    /** A third of the load: the simulated world has twenty machines, and this one has its cores. */
    private static int jobsOf(Load load) {
        return Math.max(1, load.jobs() / 3);
    }

    /** Does the calls that are due, and after {@link #finish} at once those that are left. */
    @Override
    public void run() {
        while (!over && !(finishing && due.isEmpty() && orders.isEmpty())) {
            for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
                order.run();
            }
            long now = clock.getAsLong();
            List<Due> ready = due.stream()
                    .filter(each -> finishing || each.atNanos() <= now)
                    .toList();
            due.removeAll(ready);
            ready.forEach(each -> each.call().run());
            if (now >= nextRead) {
                nextRead = now + READ_EVERY_NANOS;
                read();
            }
            ProcessCell.pause(20);
        }
    }

    /** The time of the faults is over: submits what is left, and then nothing more. */
    void finish() {
        finishing = true;
    }

    /** Gives up whatever is not answered yet. */
    void end() {
        over = true;
    }

    // ---- what faults ask of users

    /**
     * Submits that many jobs as soon as possible.
     *
     * @param done called for each that the cell has taken
     */
    void surge(int more, Runnable done) {
        for (int job = 0; job < more; job++) {
            orders.add(() -> ifDone(submitAny(), done));
        }
    }

    /**
     * All jobs from now on have tasks that ignore TERM.
     *
     * @param done called for each that the cell has taken
     */
    void submitStubborn(Runnable done) {
        orders.add(() -> stubborn = Optional.of(done));
    }

    void submitAsUsual() {
        orders.add(() -> stubborn = Optional.empty());
    }

    /**
     * Submits that many gangs as soon as possible.
     *
     * @param done called for each that the cell has taken
     */
    void submitGangs(int count, Runnable done) {
        for (int gang = 0; gang < count; gang++) {
            orders.add(() -> ifDone(submit(gang("gang-" + jobs++)), done));
        }
    }

    private static void ifDone(boolean isDone, Runnable done) {
        if (isDone) {
            done.run();
        }
    }

    /** Loses every second answer after the cell has given it, so that the call is repeated. */
    void loseReplies(boolean losing) {
        losesReplies = losing;
    }

    long repliesLost() {
        return repliesLost.get();
    }

    /** One more client, with that name. */
    ProcessIntruder intruder(String name) {
        return new ProcessIntruder(cell, name);
    }

    /** More clients, without the right to what they ask. */
    Strangers strangers(String name) {
        return new Strangers(addresses, name, clock);
    }

    /** One more agent, of a machine with that name. */
    ProcessLiar liar(String machine) {
        return new ProcessLiar(addresses, cell, machine);
    }

    /** Submits a job that takes many bytes of every replica's disk. */
    void submitLarge() {
        orders.add(() -> {
            String name = "job-" + jobs++;
            submit(job(name)
                    .setType(JobType.JOB_TYPE_BATCH)
                    .addGroups(Group.newBuilder()
                            .setName("main")
                            .setCount(1)
                            .putResources("cpuMilli", 100L)
                            .putResources("memoryMib", 16L)
                            .setRun(Run.newBuilder()
                                    .addCommand("/bin/true")
                                    .addAllCommand(Collections.nCopies(LARGE_WORDS, "x".repeat(LARGE_WORD_BYTES)))))
                    .build());
        });
    }

    /**
     * Changes the limit of the pool that a third of the jobs are in.
     *
     * @param done called when the cell has changed it
     */
    void limitPool(long cpuMilli, Runnable done) {
        PutPoolRequest limit = PutPoolRequest.newBuilder()
                .setName("research")
                .putLimit("cpuMilli", cpuMilli)
                .build();
        orders.add(() ->
                ifDone(repeated(() -> done(cell.putPool(limit).getName(), 0, 0)) instanceof UserCall.Done, done));
    }

    // ---- calls

    /** Returns whether the cell has taken it. */
    private boolean submitAny() {
        Job job = draw("job-" + jobs++);
        boolean isDone = submit(job);
        ifDone(isDone, stubborn.orElse(() -> {}));
        if (job.getType() == JobType.JOB_TYPE_SERVICE || random.nextInt(100) < load.stopsInHundred()) {
            due.add(new Due(clock.getAsLong() + random.nextLong(5_000 * MILLI), () -> stop(job.getName())));
        }
        return isDone;
    }

    /** Returns whether the cell has taken it. */
    private boolean submit(Job job) {
        boolean isDone = asked(UserCall.Order.SUBMIT, job.getName(), () -> {
            JobSubmitted said = cell.submitJob(job);
            return done(said.getName(), said.getVersion(), said.getGeneration());
        });
        if (isDone && job.getType() == JobType.JOB_TYPE_SERVICE) {
            wanted.put(job.getName(), job.getGroups(0).getCount());
        }
        return isDone;
    }

    private void stop(String job) {
        boolean isDone = asked(UserCall.Order.STOP, job, () -> {
            JobStopped said =
                    cell.stopJob(StopJobRequest.newBuilder().setName(job).build());
            return done(said.getName(), said.getVersion(), 0);
        });
        if (isDone) {
            wanted.remove(job);
        }
    }

    /** Returns whether the cell has done it. */
    private boolean asked(UserCall.Order order, String job, Supplier<UserCall.Done> call) {
        long askedAt = clock.getAsLong();
        UserCall.Answer answer = repeated(call);
        calls.add(new UserCall(order, job, askedAt, answer));
        return answer instanceof UserCall.Done;
    }

    private UserCall.Done done(String name, long version, long generation) {
        return new UserCall.Done(clock.getAsLong(), name, version, generation);
    }

    private void read() {
        long askedAt = clock.getAsLong();
        try {
            long version = cell.getCell(
                            GetCellRequest.newBuilder().setLinearizable(true).build())
                    .getVersion();
            reads.add(new Seen(askedAt, clock.getAsLong(), version));
        } catch (CellUnreachable | Problem cannot) {
            // A read that is not answered shows nothing.
        }
    }

    /** Repeats a call until it is answered or refused, or until the run is over. */
    private UserCall.Answer repeated(Supplier<UserCall.Done> call) {
        for (int tries = 1; !over; tries++) {
            try {
                UserCall.Done done = call.get();
                if (!losesReplies || lostLast) {
                    lostLast = false;
                    return done;
                }
                lostLast = true;
                repliesLost.incrementAndGet();
            } catch (CellUnreachable away) {
                ProcessCell.pause(50);
            } catch (Problem problem) {
                if (problem.type() == ProblemType.OVERLOADED || problem.type() == ProblemType.RATE_LIMITED) {
                    overloads.add(new History.Overload(
                            "users", clock.getAsLong(), problem.retryAfter().isPresent(), 0, 0));
                } else if (problem.type() == ProblemType.INTERNAL) {
                    return new UserCall.Failed(clock.getAsLong(), String.valueOf(problem.getMessage()));
                } else if (problem.type() != ProblemType.NO_LEADER && problem.type() != ProblemType.UNAVAILABLE) {
                    return new UserCall.Refused(
                            clock.getAsLong(),
                            tries == 1,
                            problem.type() == ProblemType.NOT_FOUND,
                            String.valueOf(problem.getMessage()));
                }
                ProcessCell.pause(50);
            }
        }
        return new UserCall.Unanswered();
    }

    // ---- jobs

    private Job draw(String name) {
        boolean service = random.nextInt(100) < load.servicesInHundred();
        if (!service && random.nextInt(100) < load.gangsInHundred()) {
            return gang(name);
        }
        Job.Builder job = job(name)
                .setType(service ? JobType.JOB_TYPE_SERVICE : JobType.JOB_TYPE_BATCH)
                .setPool(random.nextInt(3) == 0 ? "research" : "default")
                .setPriority(random.nextInt(101))
                .setAtomicity(
                        random.nextInt(5) == 0 ? Atomicity.ATOMICITY_ALL_OR_NOTHING : Atomicity.ATOMICITY_INCREMENTAL)
                .setConflictRule(
                        random.nextInt(3) == 0
                                ? ConflictRule.CONFLICT_RULE_MACHINE
                                : ConflictRule.CONFLICT_RULE_RESOURCE);
        return job.addGroups(group(1 + random.nextInt(Math.min(TASKS_MAX, load.tasksMax())), service))
                .build();
    }

    private Job gang(String name) {
        int count = 2 + random.nextInt(2);
        return job(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING)
                .addGroups(group(count, false).setGang(Gang.newBuilder().setMin(count)))
                .build();
    }

    private Job.Builder job(String name) {
        return Job.newBuilder().setName(name).setScheduler(schedulers.get(random.nextInt(schedulers.size())));
    }

    private Group.Builder group(int count, boolean service) {
        boolean odd = load.oddInHundred() > 0 && random.nextInt(100) < load.oddInHundred();
        Group.Builder group = Group.newBuilder()
                .setName("main")
                .setCount(count)
                .putResources("cpuMilli", 100L * (1 + random.nextInt(3)) + (odd ? 1 : 0))
                .putResources("memoryMib", 16L)
                .setRun(Run.newBuilder()
                        .addAllCommand(List.of("/bin/sh", "-c", text(service)))
                        .setStopGrace(Durations.fromMillis(500)));
        return service
                ? group
                : group.setRestart(Restart.newBuilder().setAttempts(5).setDelay(Durations.fromMillis(200)));
    }

    private String text(boolean service) {
        if (service) {
            return "exec sleep " + SERVICE_SECONDS;
        }
        String seconds = seconds(load.runMillis() * (0.5 + random.nextDouble()));
        boolean fails = stubborn.isPresent() || random.nextInt(100) < load.failuresInHundred();
        String begin = stubborn.isPresent() ? "trap '' TERM; " : "";
        // The first attempt fails, and the next one succeeds.
        return begin + "sleep " + seconds + (fails ? "; test \"$CELLA_ATTEMPT\" -gt 1" : "");
    }

    /** As {@code sleep} reads it, wherever this machine is. */
    static String seconds(double millis) {
        return String.format(Locale.ROOT, "%.1f", millis / 1_000);
    }

    /** How many tasks run for good: those of services that nobody stopped. */
    long servicesWanted() {
        return wanted.values().stream().mapToLong(Integer::longValue).sum();
    }

    // ---- what they saw, once they have ended

    List<UserCall> calls() {
        return calls;
    }

    List<Seen> reads() {
        return reads;
    }

    /** How often the cell had too much to do. */
    List<History.Overload> overloads() {
        return overloads;
    }
}
