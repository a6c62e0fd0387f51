package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
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
 * gone has been given up, and one whose agent works is ready.
 */
final class AgentsAgree implements Checker {
    @Override
    public String number() {
        return "C11";
    }

    @Override
    public String holds() {
        return "After the end of the faults, what agents run is what the cell shows.";
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
        return found.all();
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
