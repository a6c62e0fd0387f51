package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C11: when all has settled, what agents run is what the cell shows as running on their machines, a machine whose agent is
 * gone has been given up, and one whose agent works is ready and has long started or ended what the cell told it to.
 */
final class AgentsAgree implements Checker {
    /** More than the grace time of a stop, the way of a change to an agent, and the way of its report to the cell. */
    private static final long SETTLED_NANOS = 20_000_000_000L;

    @Override
    public String number() {
        return "C11";
    }

    @Override
    public String holds() {
        return "After the end of the faults, what agents run is what the cell shows, and no task waits for its agent.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        History history = evidence.history();
        return !history.running.isEmpty() || !history.tended.isEmpty() || !history.gone.isEmpty();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        CellView end = evidence.replay().end();
        for (String gone : evidence.history().gone) {
            found.unless(
                    !isReady(end, gone),
                    "the end",
                    "%s has no agent any more, and the cell still shows it as ready",
                    gone);
        }
        for (String tended : evidence.history().tended) {
            found.unless(
                    isReady(end, tended), "the end", "%s has an agent, and the cell does not show it as ready", tended);
        }
        for (Map.Entry<String, List<PlacementId>> machine :
                evidence.history().running.entrySet()) {
            if (evidence.history().untrusted.contains(machine.getKey())
                    || evidence.history().broken.stream().anyMatch(broken -> broken.equals(machine.getKey()))) {
                continue;
            }
            Set<PlacementId> shown = new HashSet<>();
            Set<PlacementId> running = new HashSet<>();
            end.findMachine(machine.getKey())
                    .ifPresent(slot -> end.forEachTaskOn(slot, task -> note(task, shown, running)));
            Set<PlacementId> orphans = new HashSet<>(machine.getValue());
            orphans.removeAll(shown);
            Set<PlacementId> lost = new HashSet<>(running);
            lost.removeAll(machine.getValue());
            found.unless(
                    orphans.isEmpty(),
                    "the end",
                    "%s runs %s, which the cell does not show",
                    machine.getKey(),
                    orphans);
            found.unless(
                    lost.isEmpty(),
                    "the end",
                    "the cell shows %s running on %s, which runs none",
                    lost,
                    machine.getKey());
        }
        checkSettled(evidence, found);
        return found.all();
    }

    /** No task is placed and does not start, or is told to stop and does not end. */
    private static void checkSettled(Evidence evidence, Found found) {
        CellView end = evidence.replay().end();
        long settled = versionAt(evidence, evidence.history().endedAtNanos() - SETTLED_NANOS);
        for (String tended : evidence.history().tended) {
            if (!evidence.history().untrusted.contains(tended)) {
                end.findMachine(tended)
                        .ifPresent(slot -> end.forEachTaskOn(slot, task -> checkSettled(task, settled, tended, found)));
            }
        }
    }

    private static void checkSettled(TaskRow task, long settled, String machine, Found found) {
        found.unless(
                !waitsForAgent(task) || task.changedVersion().number() > settled,
                "the end",
                "%s is %s on %s since %s",
                task.id(),
                task.state(),
                machine,
                Checker.version(task.changedVersion().number()));
    }

    /** A task that waits for the victims of its claim does not: the last of them does. */
    private static boolean waitsForAgent(TaskRow task) {
        return task.state() == TaskState.STOPPING
                || (task.state() == TaskState.PLACED && task.waitingFor().isEmpty());
    }

    private static long versionAt(Evidence evidence, long nanos) {
        return evidence.replay().steps().stream()
                .filter(step -> step.atNanos() <= nanos)
                .mapToLong(Step::version)
                .max()
                .orElse(0);
    }

    private static boolean isReady(CellView end, String machine) {
        return end.findMachine(machine).stream().anyMatch(slot -> end.status(slot) == MachineStatus.READY);
    }

    private static void note(TaskRow task, Set<PlacementId> shown, Set<PlacementId> running) {
        task.placement().ifPresent(placement -> {
            shown.add(placement);
            if (task.state() == TaskState.RUNNING) {
                running.add(placement);
            }
        });
    }
}
