package dev.cella.scheduling;

import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.Transaction;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An item that a plan drafted besides claims. Each kind knows its effect on the draft, so that the rest of the plan sees it,
 * and on the transaction. Claims are many and have their own arrays.
 */
sealed interface DraftedItem {
    /** The job that asks for it, if one does. */
    Optional<JobId> asking();

    /** Applies its effect to the draft. */
    void takeOn(Draft draft);

    void addTo(Transaction.Builder transaction);

    /** The task that it ends, if any. */
    default Optional<TaskRow> ends() {
        return Optional.empty();
    }

    /** The claim that it is, if it is one. */
    default Optional<Claimed> claims() {
        return Optional.empty();
    }

    default boolean isHold() {
        return false;
    }

    default boolean asksHoldFor(JobId job) {
        return isHold() && asking().equals(Optional.of(job));
    }

    /** Evicts the victim for the claim at that place of the transaction. */
    static Eviction eviction(TaskRow victim, int claim) {
        return new Eviction(victim.id(), victim.attempt(), OptionalInt.of(claim));
    }

    /** An eviction without a claim. */
    record Evicted(Optional<JobId> asking, TaskRow task) implements DraftedItem {
        @Override
        public void takeOn(Draft draft) {
            draft.end(task);
        }

        @Override
        public void addTo(Transaction.Builder transaction) {
            transaction.evict(new Eviction(task.id(), task.attempt(), OptionalInt.empty()));
        }

        @Override
        public Optional<TaskRow> ends() {
            return Optional.of(task);
        }
    }

    /** A hold on one machine. */
    record Hold(HoldRequest request) implements DraftedItem {
        @Override
        public Optional<JobId> asking() {
            return Optional.of(request.job());
        }

        @Override
        public void takeOn(Draft draft) {
            draft.reserve(request.machine(), request.amounts());
        }

        @Override
        public void addTo(Transaction.Builder transaction) {
            transaction.hold(request);
        }

        @Override
        public boolean isHold() {
            return true;
        }
    }

    /** A step on a task. */
    record Stepped(Step.Kind kind, TaskRow task) implements DraftedItem {
        @Override
        public Optional<JobId> asking() {
            return Optional.of(task.id().job());
        }

        @Override
        public void takeOn(Draft draft) {
            if (task.state().isOnMachine()) {
                draft.end(task);
            }
        }

        @Override
        public void addTo(Transaction.Builder transaction) {
            transaction.step(new Step(kind, task.id(), task.attempt()));
        }

        @Override
        public Optional<TaskRow> ends() {
            return Optional.of(task);
        }
    }

    /** A scale: another number of tasks in a group. */
    record Scaled(Scale scale) implements DraftedItem {
        @Override
        public Optional<JobId> asking() {
            return Optional.of(scale.job());
        }

        @Override
        public void takeOn(Draft draft) {}

        @Override
        public void addTo(Transaction.Builder transaction) {
            transaction.scale(scale);
        }
    }

    /**
     * A claim for a pending task that takes nothing that is free: a place in the queue of a machine, or what the machine's other
     * work leaves.
     */
    record Claimed(ClaimKind kind, GroupRow group, int index, int machine) implements DraftedItem {
        @Override
        public Optional<JobId> asking() {
            return Optional.of(group.job().id());
        }

        @Override
        public void takeOn(Draft draft) {
            if (kind == ClaimKind.SPARE) {
                draft.takeSpare(machine, index, group.header().shape());
            }
        }

        @Override
        public void addTo(Transaction.Builder transaction) {
            JobRow job = group.job();
            transaction
                    .claim(job.id().version(), group.place(), index, job.generation(), machine)
                    .kind(kind);
        }

        @Override
        public Optional<Claimed> claims() {
            return Optional.of(this);
        }
    }

    /** A spare task that holds its amounts from now on. */
    record Upgraded(TaskRow task) implements DraftedItem {
        @Override
        public Optional<JobId> asking() {
            return Optional.of(task.id().job());
        }

        @Override
        public void takeOn(Draft draft) {
            draft.take(task.machine().orElseThrow(), task.resources());
        }

        @Override
        public void addTo(Transaction.Builder transaction) {
            transaction.step(new Step(Step.Kind.UPGRADE, task.id(), task.attempt()));
        }
    }

    /** A copy of a task that runs beside it. It asks for nothing until it is placed. */
    record Copied(TaskRow task) implements DraftedItem {
        @Override
        public Optional<JobId> asking() {
            return Optional.of(task.id().job());
        }

        @Override
        public void takeOn(Draft draft) {}

        @Override
        public void addTo(Transaction.Builder transaction) {
            transaction.step(new Step(Step.Kind.COPY, task.id(), task.attempt()));
        }
    }

    /** Progress to store with a job. */
    record Remembered(JobId job, Progress progress) implements DraftedItem {
        @Override
        public Optional<JobId> asking() {
            return Optional.of(job);
        }

        @Override
        public void takeOn(Draft draft) {}

        @Override
        public void addTo(Transaction.Builder transaction) {
            transaction.progress(job, progress);
        }
    }

    /** An offer: a hold for a session of another scheduler. */
    record Offered(HoldRequest request) implements DraftedItem {
        @Override
        public Optional<JobId> asking() {
            return Optional.empty();
        }

        @Override
        public void takeOn(Draft draft) {
            draft.reserve(request.machine(), request.amounts());
        }

        @Override
        public void addTo(Transaction.Builder transaction) {
            transaction.hold(request);
        }
    }

    /** Takes an offer back. Its amounts become free when that is committed. */
    record Rescinded(OfferId offer) implements DraftedItem {
        @Override
        public Optional<JobId> asking() {
            return Optional.empty();
        }

        @Override
        public void takeOn(Draft draft) {}

        @Override
        public void addTo(Transaction.Builder transaction) {
            transaction.rescind(offer);
        }
    }
}
