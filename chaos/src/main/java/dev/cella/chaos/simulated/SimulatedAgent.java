package dev.cella.chaos.simulated;

import dev.cella.agent.reconciler.JobRuns;
import dev.cella.state.core.Lane;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One agent process: it speaks for some machines, each with the production reconciler, follows the feed once for all of
 * them, and renews their leases in one call.
 */
final class SimulatedAgent implements FollowedFeed.Owner {
    static final long LEASE_MILLIS = 4_000;
    private static final int RENEWALS_A_LEASE = 3;
    private static final long RESTART_NANOS = 1_500 * DueEvents.MILLI;

    /** A leader's answer about some leases. */
    private record Renewals(boolean leads, List<Boolean> known) {}

    private final SimulatedCell cell;
    private final SimulatedProcess process;
    private final Map<String, SimulatedMachine> machines = new TreeMap<>();
    private final Map<Integer, SimulatedMachine> bySlot = new TreeMap<>();
    private final Set<TaskId> touchedTasks = new LinkedHashSet<>();
    private final Set<Integer> touchedSlots = new TreeSet<>();
    private CellCalls calls;
    private QueueStarts starts;
    private FollowedFeed feed;
    private int lives;
    private boolean down = true;
    private int renewals;
    private long renewedAtNanos;
    private long overdue;
    private long renewEveryNanos = LEASE_MILLIS * DueEvents.MILLI / RENEWALS_A_LEASE;

    SimulatedAgent(SimulatedCell cell, SimulatedProcess process) {
        this.cell = cell;
        this.process = process;
        this.calls = new CellCalls(cell, process);
        this.starts = new QueueStarts(process, calls, "", this::lookAgain);
        this.feed = new FollowedFeed(cell, process, 0, this);
    }

    void add(SimulatedMachine machine) {
        machines.put(machine.name(), machine);
    }

    SimulatedProcess process() {
        return process;
    }

    FollowedFeed feed() {
        return feed;
    }

    Iterable<SimulatedMachine> machines() {
        return machines.values();
    }

    // ---- life

    /** Does nothing if it runs. */
    void start() {
        if (!down) {
            return;
        }
        process.start();
        down = false;
        lives++;
        bySlot.clear();
        calls = new CellCalls(cell, process);
        starts = new QueueStarts(process, calls, "start-" + process.name() + "-" + lives + "-", this::lookAgain);
        feed = new FollowedFeed(cell, process, lives, this);
        feed.open();
        machines.values().forEach(SimulatedMachine::begin);
        renewedAtNanos = process.nowNanos();
        renewLater();
    }

    void kill() {
        feed.close();
        process.kill();
        machines.values().forEach(SimulatedMachine::agentDied);
        down = true;
    }

    void restartLater() {
        process.afterDeath(RESTART_NANOS, this::start);
    }

    /** An agent slower than its lease renews that much later. */
    void renewEvery(long nanos) {
        renewEveryNanos = nanos;
    }

    void renewAsUsual() {
        renewEveryNanos = LEASE_MILLIS * DueEvents.MILLI / RENEWALS_A_LEASE;
        if (!down) {
            renewNow();
        }
    }

    /** How often it renewed its leases after they were over. */
    long overdue() {
        return overdue;
    }

    // ---- leases

    private void renewLater() {
        int next = ++renewals;
        process.after(renewEveryNanos, () -> {
            if (next == renewals) {
                renewNow();
            }
        });
    }

    private void renewNow() {
        overdue += process.nowNanos() - renewedAtNanos > LEASE_MILLIS * DueEvents.MILLI ? 1 : 0;
        renewedAtNanos = process.nowNanos();
        renew();
        renewLater();
    }

    private void renew() {
        List<SimulatedMachine> held = new ArrayList<>();
        machines.values().stream().filter(SimulatedMachine::isRegistered).forEach(held::add);
        if (held.isEmpty()) {
            return;
        }
        List<MachineId> ids = held.stream().map(SimulatedMachine::id).toList();
        long askedAt = process.nowNanos();
        SimulatedReplica to = calls.preferred();
        calls.ask(
                to,
                replica -> CompletableFuture.completedFuture(new Renewals(
                        replica.leads(),
                        ids.stream()
                                .map(id -> replica.leases().renewMachine(id).isPresent())
                                .toList())),
                (renewals, failure) -> {
                    if (renewals == null || !renewals.leads()) {
                        calls.avoid(to);
                    } else {
                        renewed(held, ids, renewals.known(), askedAt);
                    }
                });
    }

    private static void renewed(List<SimulatedMachine> held, List<MachineId> ids, List<Boolean> known, long askedAt) {
        for (int place = 0; place < held.size(); place++) {
            if (held.get(place).isRegisteredAs(ids.get(place))) {
                if (known.get(place)) {
                    held.get(place).renewed(askedAt);
                } else {
                    held.get(place).lost();
                }
            }
        }
    }

    // ---- calls of its machines

    /** Answers the registered machine and the history it belongs to; nothing where there was no answer. */
    void register(Command.PutMachine command, BiConsumer<Optional<MachineId>, Incarnation> answer) {
        calls.once(
                Lane.REPORTS,
                command,
                (result, failure) -> answer.accept(
                        result instanceof CommandResult.Done done
                                ? Optional.of(new MachineId(done.identity()))
                                : Optional.empty(),
                        Incarnation.UNSAID));
    }

    void report(Command.ReportTask command, Consumer<Optional<CommandResult>> answer) {
        calls.once(Lane.REPORTS, command, (result, failure) -> answer.accept(Optional.ofNullable(result)));
    }

    /** Only a leader can know that it does not exist. */
    void specification(JobId job, int generation, Consumer<Optional<JobRuns>> found, Runnable missing) {
        SimulatedReplica to = calls.preferred();
        calls.ask(
                to,
                replica -> CompletableFuture.completedFuture(replica.specification(job, generation)
                        .or(() -> replica.leads() ? Optional.of(Specification.EMPTY) : Optional.empty())),
                (answer, failure) -> {
                    if (answer == null || answer.isEmpty()) {
                        calls.avoid(to);
                        found.accept(Optional.empty());
                    } else if (answer.get().length() == 0) {
                        missing.run();
                    } else {
                        found.accept(Optional.of(RunText.runs(job, generation, answer.get())));
                    }
                });
    }

    // ---- the view

    @Override
    public TouchedRows touchedRows() {
        return new IgnoredRows() {
            @Override
            public void machine(int slot) {
                touchedSlots.add(slot);
            }

            @Override
            public void task(TaskId task) {
                touchedTasks.add(task);
            }
        };
    }

    @Override
    public void advanced(CellView view) {
        for (TaskId task : touchedTasks) {
            int slot = view.lastMachineOf(task);
            if (slot >= 0) {
                touchedSlots.add(slot);
            }
        }
        touchedTasks.clear();
        Set<SimulatedMachine> due = new LinkedHashSet<>();
        for (int slot : touchedSlots) {
            remember(slot, view).ifPresent(machine -> {
                due.add(machine);
                look(machine, view, slot);
            });
        }
        touchedSlots.clear();
        due.forEach(machine -> machine.look(view));
    }

    private void look(SimulatedMachine machine, CellView view, int slot) {
        if (machine.isRegistered()) {
            starts.look(view, slot);
        }
    }

    private void lookAgain(int slot) {
        Optional.ofNullable(bySlot.get(slot)).ifPresent(machine -> look(machine, feed.view(), slot));
    }

    /** The machine in the slot, or the one that was in it before it was given up. */
    private Optional<SimulatedMachine> remember(int slot, CellView view) {
        SimulatedMachine named = view.machineExists(slot) ? machines.get(view.machineName(slot)) : null;
        SimulatedMachine known = named == null ? bySlot.remove(slot) : bySlot.put(slot, named);
        return Optional.ofNullable(named == null ? known : named);
    }

    @Override
    public void replaced(CellView view) {
        bySlot.clear();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            int seen = slot;
            remember(slot, view).ifPresent(machine -> look(machine, view, seen));
        }
        machines.values().forEach(machine -> machine.look(view));
    }
}
