package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.TaskState;

/** Fills the tables of an empty cell with the rows of a snapshot: jobs and pools first, then tasks, then holds. */
public final class TableLoader {
    private final Tables tables;

    public TableLoader(Tables tables) {
        this.tables = tables;
    }

    public void job(JobRow job) {
        tables.jobs.load(job);
        job.join(tables.policies.pool(job.header().pool()));
    }

    public void task(int row, LoadedTask loaded) {
        GroupRow group = loaded.group();
        group.setRow(loaded.index(), row);
        tables.tasks.load(row, loaded);
        if (loaded.slot() != TaskTable.NO_MACHINE) {
            tables.machines.refer(loaded.slot(), 1);
            if (!loaded.state().isOnMachine()) {
                tables.ended.add(loaded.slot(), row);
            }
        }
        if (loaded.state().isOnMachine()) {
            tables.policies.add(group.job().pool(), tables.tasks.held(row), 1);
            if (loaded.spare()) {
                tables.spare.add(row);
            }
        }
        if (loaded.state() != TaskState.PENDING) {
            group.take(loaded.index());
        }
    }

    public void hold(HoldRow hold, Amounts got) {
        hold.grow(got);
        tables.holds.put(hold);
        hold.job().ifPresent(job -> tables.policies.add(job.pool(), got, 1));
    }

    /** As {@link #finish}, for tables that have only some tasks of their jobs: a job's state follows from those. */
    public void finishPart() {
        tables.jobs.all().values().forEach(job -> job.deriveFrom(tables));
        finish();
    }

    /** Derives counts and states after all rows are loaded, and checks the parts that no digest covers. */
    public void finish() {
        MachineTable machines = tables.machines;
        tables.tasks.finishLoad();
        int listed = 0;
        for (int slot = 0; slot < machines.slots(); slot++) {
            int count = tables.tasks.finishList(machines.firstTask(slot));
            machines.countTask(slot, count);
            listed += count;
        }
        tables.jobs.finishLoad(tables);
        tables.jobs.all().values().forEach(job -> tables.counts.addAll(job.counts(), 1));
        int onMachines = tables.counts.onMachines();
        checkInvariant(listed == onMachines, "%s tasks are on machines, their lists have %s", onMachines, listed);
        Truths.checkMachines(tables);
    }
}
