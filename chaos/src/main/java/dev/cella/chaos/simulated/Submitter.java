package dev.cella.chaos.simulated;

import dev.cella.chaos.scenario.Load;
import dev.cella.state.core.Lane;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Restart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The users of the cell: they submit jobs, stop some and scale some, and read what they wrote. */
final class Submitter {
    private static final long READ_EVERY_NANOS = 700 * DueEvents.MILLI;

    /** Where pools have weights, all tasks are alike and placed one by one: any room suits every pool. */
    private static final Amounts SHAPE_IN_POOLS = Amounts.of(1_000, 1_024);

    private final SimulatedCell cell;
    private final SimulatedProcess process;
    private final CellCalls calls;
    private final SplittableRandom random;
    private final List<String> schedulers;
    private final Map<String, Integer> weights;
    private final Load load;
    private int jobs;
    private Optional<Runnable> stubborn = Optional.empty();
    private boolean over;

    Submitter(
            SimulatedCell cell,
            SimulatedProcess process,
            SplittableRandom random,
            List<String> schedulers,
            Map<String, Integer> weights,
            Load load) {
        this.cell = cell;
        this.process = process;
        this.calls = new CellCalls(cell, process);
        this.random = random;
        this.schedulers = schedulers;
        this.weights = weights;
        this.load = load;
    }

    /** Spreads the load's jobs over {@code overMillis} milliseconds. */
    void start(long overMillis) {
        for (int job = 0; job < load.jobs(); job++) {
            process.after(random.nextLong(overMillis) * DueEvents.MILLI, () -> submitAny(() -> {}));
        }
        readLater();
    }

    /** As an operator does after an upgrade of all servers. Pools get their weights after it, because they need a level. */
    void raiseLevel(int level) {
        calls.untilAnswered(
                Lane.OPERATORS, new Command.RaiseFeatureLevel(level), done -> weights.forEach(this::define));
    }

    private void define(String pool, int weight) {
        PoolPolicy policy = new PoolPolicy(weight, Amounts.NONE, Limits.NONE, PoolPolicy.Order.FAIR, 0, 0);
        calls.untilAnswered(Lane.OPERATORS, new Command.DefinePool(pool, policy), done -> {});
    }

    /** From now on nothing more is submitted. */
    void end() {
        over = true;
    }

    /**
     * All jobs from now on have tasks that ignore TERM.
     *
     * @param done called for each that the cell has taken
     */
    void submitStubborn(Runnable done) {
        stubborn = Optional.of(done);
    }

    void submitAsUsual() {
        stubborn = Optional.empty();
    }

    private void readLater() {
        process.after(READ_EVERY_NANOS, () -> {
            read();
            readLater();
        });
    }

    private void read() {
        long askedAt = process.nowNanos();
        SimulatedReplica to = calls.preferred();
        calls.ask(to, replica -> replica.catchUp().thenApply(done -> replica.version()), (version, failure) -> {
            if (version == null) {
                calls.avoid(to);
            } else {
                cell.recordRead(process, askedAt, version.number());
            }
        });
    }

    /**
     * Submits that many jobs now.
     *
     * @param done called for each that the cell has taken
     */
    void surge(int more, Runnable done) {
        for (int job = 0; job < more; job++) {
            process.after(random.nextLong(1_000 * DueEvents.MILLI), () -> submitAny(done));
        }
    }

    private void submitAny(Runnable done) {
        if (over) {
            return;
        }
        JobHeader header = draw("job-" + jobs++);
        submit(header, id -> {
            done.run();
            if (header.type() == JobType.SERVICE || random.nextInt(100) < load.stopsInHundred()) {
                process.after(random.nextLong(10_000 * DueEvents.MILLI), () -> change(id, header));
            }
        });
    }

    /** Submits a job of tasks that run as the load says. */
    void submit(JobHeader header, Consumer<JobId> submitted) {
        long runMillis = header.type() == JobType.SERVICE ? 0 : load.runMillis();
        int oneIn = load.failuresInHundred() == 0 ? 0 : 100 / load.failuresInHundred();
        Optional<Runnable> whenStubborn = stubborn;
        boolean isStubborn = whenStubborn.isPresent();
        List<RunText> runs = header.groups().stream()
                .map(group -> new RunText(runMillis, isStubborn ? 2 : oneIn, isStubborn))
                .toList();
        calls.untilAnswered(
                Lane.OPERATORS,
                new Command.SubmitJob(header, RunText.specification(runs), Command.SubmitMode.CREATE),
                result -> {
                    if (result instanceof CommandResult.Done done) {
                        whenStubborn.ifPresent(Runnable::run);
                        submitted.accept(new JobId(done.identity()));
                    }
                });
    }

    private void change(JobId id, JobHeader header) {
        if (over) {
            return;
        }
        if (header.type() == JobType.SERVICE && random.nextBoolean()) {
            int count = 1 + random.nextInt(load.tasksMax());
            calls.untilAnswered(Lane.OPERATORS, new Command.ScaleGroup(id, 0, count), done -> {});
        } else {
            calls.untilAnswered(Lane.OPERATORS, new Command.StopJob(id), done -> {});
        }
    }

    private JobHeader draw(String name) {
        boolean service = random.nextInt(100) < load.servicesInHundred();
        boolean gang = !service && random.nextInt(100) < load.gangsInHundred();
        List<GroupHeader> groups = new ArrayList<>();
        for (int group = 0; group < (gang || service ? 1 : 1 + random.nextInt(2)); group++) {
            groups.add(drawGroup("g" + group, gang, service));
        }
        return new JobHeader(
                name,
                service ? JobType.SERVICE : JobType.BATCH,
                schedulers.get(random.nextInt(schedulers.size())),
                drawPool(),
                random.nextInt(101),
                gang || isAllOrNothing() ? Atomicity.ALL_OR_NOTHING : Atomicity.INCREMENTAL,
                random.nextInt(3) == 0 ? ConflictRule.MACHINE : ConflictRule.RESOURCE,
                groups);
    }

    private String drawPool() {
        if (weights.isEmpty()) {
            return random.nextInt(3) == 0 ? "research" : "default";
        }
        return List.copyOf(weights.keySet()).get(random.nextInt(weights.size()));
    }

    private boolean isAllOrNothing() {
        return weights.isEmpty() && random.nextInt(5) == 0;
    }

    private GroupHeader drawGroup(String name, boolean gang, boolean service) {
        boolean odd = load.oddInHundred() > 0 && random.nextInt(100) < load.oddInHundred();
        long more = odd ? 2L * random.nextInt(2) - 1 : 0;
        Amounts shape = weights.isEmpty()
                ? Amounts.of(250L * (1 + random.nextInt(6)) + more, 256L * (1 + random.nextInt(6)) + more)
                : SHAPE_IN_POOLS;
        int count = 1 + random.nextInt(load.tasksMax());
        Restart restart = service ? new Restart(Restart.UNLIMITED, 100, 2_000) : new Restart(2, 100, 1_000);
        OnLost onLost = random.nextInt(4) == 0 && !service ? OnLost.WAIT : OnLost.REPLACE;
        Optional<Gang> together =
                gang ? Optional.of(new Gang(1 + random.nextInt(count), 1_000, Gang.Restarts.ALL)) : Optional.empty();
        return new GroupHeader(name, count, shape, restart, 0, 0, onLost, together);
    }
}
