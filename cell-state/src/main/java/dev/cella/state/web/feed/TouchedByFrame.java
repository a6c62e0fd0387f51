package dev.cella.state.web.feed;

import dev.cella.transactions.codec.GroupPlacements;
import dev.cella.transactions.codec.IgnoredChanges;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Notes what frames of changes touch that an agent may have to know. Used by one thread. */
final class TouchedByFrame extends IgnoredChanges {
    final BitSet slots = new BitSet();

    /** The machines that were registered, which may be in a slot that no agent knows yet. */
    final List<String> machines = new ArrayList<>();

    final List<TaskId> tasks = new ArrayList<>();
    final List<TaskId> finished = new ArrayList<>();

    /** The jobs whose tasks have another time to end. */
    final Set<JobId> jobs = new LinkedHashSet<>();

    @Override
    public void machineRegistered(
            int slot, String name, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        slots.set(slot);
        machines.add(name);
    }

    @Override
    public void machineRenewed(
            int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        slots.set(slot);
    }

    @Override
    public void machineDrained(int slot, @Nullable Drain drain) {
        slots.set(slot);
    }

    @Override
    public void machineMarked(int slot, boolean draining, boolean down) {
        slots.set(slot);
    }

    @Override
    public void machineRemoved(int slot) {
        slots.set(slot);
    }

    @Override
    public void jobGrace(long job, long graceMillis) {
        jobs.add(new JobId(job));
    }

    @Override
    public void tasksPlaced(long job, int group, GroupPlacements placed) {
        for (int place = 0; place < placed.count(); place++) {
            slots.set(placed.slot(place));
            addTask(job, group, placed.index(place));
        }
    }

    @Override
    public void tasksQueued(long job, int group, GroupPlacements queued) {
        tasksPlaced(job, group, queued);
    }

    @Override
    public void spareTasksPlaced(long job, int group, GroupPlacements placed) {
        tasksPlaced(job, group, placed);
    }

    @Override
    public void taskUpgraded(long job, int group, int index) {
        addTask(job, group, index);
    }

    @Override
    public void taskEvicted(long job, int group, int index, int forOrdinal) {
        addTask(job, group, index);
    }

    @Override
    public void tasksStepped(long job, int group, TaskSteps steps) {
        for (int place = 0; place < steps.count(); place++) {
            addTask(job, group, steps.index(place));
            if (steps.state() == TaskState.FINISHED) {
                finished.add(new TaskId(new JobId(job), group, steps.index(place)));
            }
        }
    }

    @Override
    public void taskAgain(long job, int group, int index) {
        addTask(job, group, index);
    }

    @Override
    public void taskForgotten(long job, int group, int index) {
        addTask(job, group, index);
    }

    @Override
    public void holdPut(long job, int ordinal, int slot, Amounts wanted, long expiresAtMillis) {
        slots.set(slot);
    }

    @Override
    public void offerPut(long session, int ordinal, int slot, Amounts amounts, long expiresAtMillis) {
        slots.set(slot);
    }

    private void addTask(long job, int group, int index) {
        tasks.add(new TaskId(new JobId(job), group, index));
    }
}
