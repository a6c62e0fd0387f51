package dev.cella.scheduling.conformance;

import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Operator;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import java.util.Map;

/**
 * The scheduler was started for a part of the machines. It claims and holds nothing elsewhere, although there is more room
 * there, and places its job on the part.
 */
final class KeepsToItsPart implements Check {
    private static final int TASKS = 4;
    private static final int MACHINES = 4;
    private static final String PART = "part";
    private static final String MINE = "mine";
    private static final Constraint WITHIN = Constraint.of(PART, Operator.EQ, MINE);

    @Override
    public String promise() {
        return "keeps to the machines that it is given";
    }

    @Override
    public void on(Trial trial) {
        SampleCell cell = SampleCell.of(0, 1, 1);
        addMachines(cell, "other", 64_000);
        addMachines(cell, MINE, 4_000);
        DrivenScheduler<?> driven = trial.driveWithin(cell, List.of(WITHIN));
        driven.watchedBy(new DrivenScheduler.Witness() {
            @Override
            public void submitted(Transaction transaction) {
                for (int claim = 0; claim < transaction.claims(); claim++) {
                    checkIsMine(transaction.machine(claim));
                }
                transaction.holds().stream().map(HoldRequest::machine).forEach(this::checkIsMine);
            }

            private void checkIsMine(int machine) {
                if (!MINE.equals(cell.view().attributes(machine).get(PART))) {
                    throw driven.failed("it is started for " + WITHIN.text() + ", and asks for "
                            + cell.view().machineName(machine));
                }
            }
        });
        cell.submit(trial.job("wanted", TASKS, 500, 512));
        driven.run();
        int pending = cell.view().job("wanted").orElseThrow().pending();
        if (pending > 0) {
            throw driven.failed("its part is empty, and " + pending + " of " + TASKS + " tasks are still pending");
        }
    }

    private static void addMachines(SampleCell cell, String part, long cpuMilli) {
        for (int machine = 0; machine < MACHINES; machine++) {
            cell.machine(part + "-" + machine, cpuMilli, 65_536, Map.of(PART, part));
        }
    }
}
