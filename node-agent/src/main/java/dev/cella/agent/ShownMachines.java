package dev.cella.agent;

import dev.cella.client.live.ReplicaListener;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lets each of the agent's machines look at the view only when something changed on it: the cost of a frame depends on what it
 * touches, not on the number of machines. One whose queue alone has changed reads only that. Machines look after the replica
 * has applied its frames, once for all that came. Called on the agent's loop, which owns the replica.
 */
final class ShownMachines implements ReplicaListener, TouchedRows {
    private final AgentLoop loop;
    private final Map<String, Machine> machines;
    private final Hosts hosts;
    private final RunEstimates estimates;
    private final Map<Integer, Machine> bySlot = new HashMap<>();
    private final BitSet touchedSlots = new BitSet();
    private final BitSet touchedQueues = new BitSet();
    private final Set<TaskId> touchedTasks = new LinkedHashSet<>();
    private final Set<JobId> touchedJobs = new LinkedHashSet<>();
    private final Set<JobId> changedJobs = new LinkedHashSet<>();
    private final Set<Machine> looking = new LinkedHashSet<>();
    private final Set<Machine> lookingAtQueue = new LinkedHashSet<>();
    private boolean isLookDue;

    ShownMachines(AgentLoop loop, Map<String, Machine> machines, Hosts hosts, RunEstimates estimates) {
        this.loop = loop;
        this.machines = machines;
        this.hosts = hosts;
        this.estimates = estimates;
    }

    @Override
    public void replaced(CellView view) {
        bySlot.clear();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            remember(slot, view);
        }
        machines.values().forEach(this::lookSoon);
        hosts.moved(view);
    }

    @Override
    public void partReplaced(CellView view) {
        replaced(view);
        estimates.left(view);
    }

    /** The machine of the slot; for a machine that was given up, the former one. */
    private Optional<Machine> remember(int slot, CellView view) {
        Machine named = view.machineExists(slot) ? machines.get(view.machineName(slot)) : null;
        Machine known = named == null ? bySlot.remove(slot) : bySlot.put(slot, named);
        return Optional.ofNullable(named == null ? known : named);
    }

    @Override
    public TouchedRows touchedRows() {
        return this;
    }

    @Override
    public void machine(int slot) {
        touchedSlots.set(slot);
    }

    @Override
    public void queue(int slot) {
        touchedQueues.set(slot);
    }

    @Override
    public void task(TaskId task) {
        touchedTasks.add(task);
    }

    @Override
    public void job(JobId job) {
        changedJobs.add(job);
    }

    @Override
    public void advanced(CellView view) {
        for (TaskId task : touchedTasks) {
            int slot = view.machineOf(task);
            if (slot >= 0) {
                touchedSlots.set(slot);
            } else {
                estimates.left(view, task);
            }
            touchedJobs.add(task.job());
        }
        changedJobs.forEach(job -> touchIfHurried(job, view));
        changedJobs.clear();
        touchedJobs.forEach(job -> hosts.moved(job, view));
        touchedJobs.clear();
        touchedTasks.clear();
        touchedSlots.stream().forEach(slot -> remember(slot, view).ifPresent(this::lookSoon));
        touchedQueues.andNot(touchedSlots);
        touchedQueues.stream().forEach(slot -> remember(slot, view).ifPresent(this::lookAtQueueSoon));
        touchedQueues.clear();
        touchedSlots.clear();
    }

    /** A later stop may shorten the time that a job's tasks have to end. That changes the job's row, and not the tasks'. */
    private void touchIfHurried(JobId id, CellView view) {
        view.job(id)
                .filter(job -> job.stopGraceMillis().isPresent())
                .ifPresent(job -> job.groups().forEach(group -> touchMachinesOf(group, view)));
    }

    private void touchMachinesOf(GroupRow group, CellView view) {
        for (int index = 0; group.onMachines() > 0 && index < group.header().count(); index++) {
            int slot = view.machineOf(group, index);
            if (slot >= 0) {
                touchedSlots.set(slot);
            }
        }
    }

    private void lookSoon(Machine machine) {
        looking.add(machine);
        lookSoon();
    }

    private void lookAtQueueSoon(Machine machine) {
        lookingAtQueue.add(machine);
        lookSoon();
    }

    private void lookSoon() {
        if (!isLookDue) {
            isLookDue = true;
            loop.handOver(this::look);
        }
    }

    private void look() {
        isLookDue = false;
        List<Machine> due = List.copyOf(looking);
        List<Machine> queueDue = lookingAtQueue.stream()
                .filter(machine -> !looking.contains(machine))
                .toList();
        looking.clear();
        lookingAtQueue.clear();
        due.forEach(Machine::look);
        queueDue.forEach(Machine::lookAtQueue);
    }
}
