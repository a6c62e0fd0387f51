package dev.cella.scheduler.batch.fair;

import dev.cella.scheduling.Candidates;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.TaskInputs;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Places the tasks of one group, one per call, as near to their input as the group's {@link Delay} allows: Algorithm 3 of the
 * paper. The paper chooses a job for a machine with room; a plan sees all machines at once and chooses a machine for the job.
 *
 * <p>Room only shrinks during a plan. So a pass over the tasks at one distance is made once, and the next distance begins when
 * no task found a machine at the previous one. Belongs to one plan.
 */
final class GroupFilling {
    /**
     * How long a group sleeps at most while it waits for room near its input. Other changes may concern it that no room tells
     * of: its machine is removed, so that it may go anywhere, or its pool falls below its due.
     */
    private static final long SLEEPS_MILLIS_MAX = 10_000;

    private final PlanningView cell;
    private final JobId job;
    private final NearInput near;
    private final FreeMachines free;
    private final SplittableRandom random;
    private final CellTime now;
    private final GroupInputs inputs;
    private final Delay before;
    private final boolean wantsAllAtOnce;
    private PendingGroup group;
    private Candidates anywhere;
    private Locality locality = Locality.MACHINE;
    private Delay delay;
    private boolean skipped;

    GroupFilling(
            PlanningView cell,
            JobId job,
            PendingGroup group,
            NearInput near,
            FreeMachines free,
            SplittableRandom random,
            Delay delay,
            CellTime now) {
        this.cell = cell;
        this.job = job;
        this.group = group;
        this.near = near;
        this.free = free;
        this.random = random;
        this.now = now;
        this.inputs = group.inputs();
        this.anywhere = group.candidates(FairScheduler.CHOICE, random);
        this.before = delay.at(now);
        this.delay = before;
        this.wantsAllAtOnce = cell.view()
                .job(job)
                .filter(row -> row.header().atomicity() == Atomicity.ALL_OR_NOTHING)
                .isPresent();
    }

    String name() {
        return group.header().name();
    }

    Amounts shape() {
        return group.shape();
    }

    Delay delay() {
        return delay;
    }

    /** Places one task, if one can be placed now. */
    boolean placeOne() {
        return free.mayTake(group) && (inputs.isEmpty() ? placeAnywhere() : placeNear());
    }

    private boolean placeAnywhere() {
        int machine = group.hasNext() ? anywhere.next() : Candidates.NONE;
        if (machine == Candidates.NONE) {
            return false;
        }
        group.claimNext(machine);
        return true;
    }

    private boolean placeNear() {
        while (true) {
            if (reached().allows(locality, inputs) && placeAt()) {
                delay = delay.placed(locality);
                return true;
            }
            if (locality == Locality.ANY) {
                skipped = hasRoom();
                return false;
            }
            locality = locality.further();
            again();
        }
    }

    /** Returns whether a machine has room for one of its tasks, however far from the input; asked when none was placed. */
    private boolean hasRoom() {
        again();
        return group.hasNext() && anywhere.next() != Candidates.NONE;
    }

    private boolean placeAt() {
        if (locality == Locality.ANY) {
            return placeAnywhere();
        }
        while (group.hasNext()) {
            int machine = near.find(group, group.inputsOf(group.next()), locality);
            if (machine != Candidates.NONE) {
                group.claimNext(machine);
                return true;
            }
            group.skipNext();
        }
        return false;
    }

    /** Begins with the first of the remaining tasks. */
    private void again() {
        cell.pendingGroups(job).stream()
                .filter(pending -> pending.header().name().equals(name()))
                .findFirst()
                .ifPresent(pending -> group = pending);
        anywhere = group.candidates(FairScheduler.CHOICE, random);
    }

    // ---- what is left

    /** Why tasks are left. No group counts as skipped for locality if no machine has room. */
    Optional<Unplaced> explain() {
        if (inputs.isEmpty()) {
            return group.left() == 0 ? Optional.empty() : Optional.of(free.explain(group, false));
        }
        again();
        if (group.left() == 0) {
            return Optional.empty();
        }
        delay = skipped ? reached().skipped(now) : reached();
        return Optional.of(free.explain(group, skipped));
    }

    /** Claims that are taken back, because they are only a part of what must start at once, are no launches: the wait goes on. */
    Delay reached() {
        return isPart() ? before : delay;
    }

    private boolean isPart() {
        return group.hasPartOfGang() || (wantsAllAtOnce && cell.hasOnlyParts(job));
    }

    /**
     * What must happen before planning the tasks that are left is worthwhile; asked once, after {@link #explain}. Room far from
     * their input is of no use to a group that waits for room near it. In a cell that is never full, such room appears all the
     * time.
     */
    List<Wake> wakes(Unplaced left) {
        Optional<CellTime> further = goesFurtherAt();
        if (further.isEmpty()) {
            return cell.wakes(left);
        }
        CellTime latest = now.plusMillis(SLEEPS_MILLIS_MAX);
        List<Wake> wakes = new ArrayList<>();
        wakes.add(new Wake.At(left.key(), further.get().compareTo(latest) < 0 ? further.get() : latest));
        for (Wake wake : cell.wakes(left)) {
            if (wake instanceof Wake.Room room && !isPart()) {
                wakes.addAll(near.rooms(room, waiting(), furthest()));
            } else {
                wakes.add(wake);
            }
        }
        return wakes;
    }

    private List<TaskInputs> waiting() {
        if (inputs.tasks().size() == 1) {
            return inputs.tasks();
        }
        List<TaskInputs> waiting = new ArrayList<>();
        for (; group.hasNext(); group.skipNext()) {
            waiting.add(group.inputsOf(group.next()));
        }
        return waiting;
    }

    private Locality furthest() {
        return delay.allows(Locality.RACK, inputs) ? Locality.RACK : Locality.MACHINE;
    }

    /** When the group may go further from its input than now, if it was skipped. */
    private Optional<CellTime> goesFurtherAt() {
        if (delay.skippedAt().isEmpty()) {
            return Optional.empty();
        }
        long toRack = delay.millisUntil(Locality.RACK, inputs);
        long wait = toRack > 0 ? toRack : delay.millisUntil(Locality.ANY, inputs);
        return wait > 0 ? Optional.of(now.plusMillis(wait)) : Optional.empty();
    }
}
