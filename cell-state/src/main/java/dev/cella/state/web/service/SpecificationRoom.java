package dev.cella.state.web.service;

import dev.cella.client.Problem;
import dev.cella.state.core.Replica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Room for the specifications of jobs. Each replica keeps them in memory until a day after the end of the job, so enough large
 * jobs would end all replicas, and each new start of one. It has those of all generations of a job on its disk as long, so one
 * job that is updated again and again could fill the disks of all.
 *
 * <p>The leader's doors refuse a job that needs more room than there is. The cell does not: how much room there is depends on
 * the memory and the disk of a server, and a decision must not.
 */
final class SpecificationRoom {
    /** Room comes with the end of jobs, so asking again each second helps nobody. */
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    private static final double MIB = 1 << 20;

    private final Replica replica;
    private final long bytesMax;
    private final BooleanSupplier diskIsNearlyFull;

    /** The submissions whose futures are not completed yet. */
    private final Set<UnderWay> underWay = ConcurrentHashMap.newKeySet();

    SpecificationRoom(Replica replica, long bytesMax, BooleanSupplier diskIsNearlyFull) {
        this.replica = replica;
        this.bytesMax = bytesMax;
        this.diskIsNearlyFull = diskIsNearlyFull;
    }

    /** Submits the job, unless there is no room for what it adds. */
    <T> CompletableFuture<T> submit(Command.SubmitJob job, Supplier<CompletableFuture<T>> submission) {
        UnderWay own = admit(job);
        CompletableFuture<T> answer;
        try {
            answer = submission.get();
        } catch (RuntimeException refused) {
            underWay.remove(own);
            throw refused;
        }
        return answer.whenComplete((done, failure) -> underWay.remove(own));
    }

    /** One at a time: a job that is refused takes no room from another one, and of two that fit one after another one fits. */
    private synchronized UnderWay admit(Command.SubmitJob job) {
        UnderWay own = replica.read(view -> new UnderWay(job, checked(view, job)));
        underWay.add(own);
        return own;
    }

    /** Fails if there is no room for what the job would add. */
    void check(CellView view, Command.SubmitJob job) {
        var unused = checked(view, job);
    }

    private long checked(CellView view, Command.SubmitJob job) {
        if (diskIsNearlyFull.getAsBoolean() && isUpdate(view, job)) {
            throw Problem.overloaded("The disk of the leader is nearly full, so no job gets another generation")
                    .withHint("make room on the disks of the servers; the generations of a job are removed a day after"
                            + " its end")
                    .withRetryAfter(RETRY_AFTER);
        }
        long added = added(view, job);
        long kept = view.specificationBytes();
        if (added > 0 && !fits(view, bytesMax - kept - added)) {
            throw Problem.overloaded(String.format(
                            Locale.ROOT,
                            "The cell keeps %.1f MiB of specifications of jobs, and has room for %.1f MiB. This job adds"
                                    + " %.1f MiB",
                            kept / MIB,
                            bytesMax / MIB,
                            added / MIB))
                    .withHint("jobs that have ended are kept for a day; make large jobs smaller with an update, or give"
                            + " the servers more memory")
                    .withRetryAfter(RETRY_AFTER);
        }
        return added;
    }

    private static boolean isUpdate(CellView view, Command.SubmitJob job) {
        return view.preview(job) instanceof CommandResult.Done done && done.effect() == CommandResult.Effect.CHANGED;
    }

    /**
     * Returns whether the submissions under way fit into that room. The cell may have decided one of them already, and then
     * keeps its bytes. So if they do not fit, this looks again at what each would add to this version.
     */
    private boolean fits(CellView view, long room) {
        return underWay.stream().mapToLong(each -> each.added).sum() <= room
                || underWay.stream().mapToLong(each -> added(view, each.job)).sum() <= room;
    }

    /** How many bytes more the cell keeps with the job, 0 if it would refuse the job or has it. */
    private static long added(CellView view, Command.SubmitJob job) {
        if (!(view.preview(job) instanceof CommandResult.Done done)) {
            return 0;
        }
        int length = job.specification().length();
        return switch (done.effect()) {
            case CREATED -> length;
            case CHANGED -> Math.max(0, length - lengthBefore(view, job));
            case UNCHANGED -> 0;
        };
    }

    private static int lengthBefore(CellView view, Command.SubmitJob job) {
        return view.job(job.header().name())
                .map(JobRow::specification)
                .map(before -> before.length())
                .orElse(0);
    }

    /** A submission. Two of the same job are two. */
    private static final class UnderWay {
        private final Command.SubmitJob job;

        /** The bytes that it added to the version at which it was admitted. */
        private final long added;

        UnderWay(Command.SubmitJob job, long added) {
            this.job = job;
            this.added = added;
        }
    }
}
