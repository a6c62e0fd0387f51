package dev.cella.state.web.service;

import dev.cella.client.Problem;
import dev.cella.state.core.Replica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Room for the specifications of jobs. Each replica keeps them in memory until a day after the end of the job, so enough large
 * jobs would end all replicas, and each new start of one.
 *
 * <p>The leader's doors refuse a job that needs more room than there is. The cell does not: how much room there is depends on
 * the memory of a server, and a decision must not.
 */
final class SpecificationRoom {
    /** Room comes with the end of jobs, so asking again each second helps nobody. */
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    private static final double MIB = 1 << 20;

    private final Replica replica;
    private final long bytesMax;

    /** What the submissions that are not decided yet add. */
    private final AtomicLong underWay = new AtomicLong();

    SpecificationRoom(Replica replica, long bytesMax) {
        this.replica = replica;
        this.bytesMax = bytesMax;
    }

    /** Submits the job, unless there is no room for what it adds. */
    <T> CompletableFuture<T> submit(Command.SubmitJob job, Supplier<CompletableFuture<T>> submission) {
        long added = replica.read(view -> added(view, job));
        long together = underWay.addAndGet(added);
        CompletableFuture<T> answer;
        try {
            check(replica.read(CellView::specificationBytes), added, together);
            answer = submission.get();
        } catch (RuntimeException refused) {
            underWay.addAndGet(-added);
            throw refused;
        }
        return answer.whenComplete((done, failure) -> underWay.addAndGet(-added));
    }

    /** Fails if there is no room for what the job would add. */
    void check(CellView view, Command.SubmitJob job) {
        long added = added(view, job);
        check(view.specificationBytes(), added, underWay.get() + added);
    }

    private void check(long kept, long added, long together) {
        if (added > 0 && kept + together > bytesMax) {
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
}
