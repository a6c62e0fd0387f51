package dev.cella.state.conflicts;

import dev.cella.state.conflicts.DecidedTransaction.RefusedItem;
import dev.cella.transactions.codec.ChangeReader;
import dev.cella.transactions.codec.GroupPlacements;
import dev.cella.transactions.codec.IgnoredChanges;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the transactions out of an entry's changes. Used once. */
final class DecidedTransactions extends IgnoredChanges {
    private final List<DecidedTransaction> decided = new ArrayList<>();
    private List<RefusedItem> refusedItems = new ArrayList<>();
    private Map<Long, Integer> acceptedByJob = new HashMap<>();
    private @Nullable Origin origin;
    private long wallTimeMillis;

    private DecidedTransactions() {}

    static List<DecidedTransaction> in(byte[] changes) {
        DecidedTransactions reading = new DecidedTransactions();
        new ChangeReader(reading).readFrames(changes);
        return reading.decided;
    }

    @Override
    public void begin(long version, long cellTimeMillis, long wallMillis, @Nullable Origin transaction) {
        origin = transaction;
        wallTimeMillis = wallMillis;
        refusedItems = new ArrayList<>();
        acceptedByJob = new HashMap<>();
    }

    @Override
    public void tasksPlaced(long job, int group, GroupPlacements placed) {
        acceptedByJob.merge(job, placed.count(), Integer::sum);
    }

    @Override
    public void spareTasksPlaced(long job, int group, GroupPlacements placed) {
        tasksPlaced(job, group, placed);
    }

    @Override
    public void itemRefused(long job, int group, int index, int slot, ItemResult result) {
        if (TaskId.canBe(job, group, index)) {
            refusedItems.add(new RefusedItem(new TaskId(new JobId(job), group, index), slot, result));
        }
    }

    @Override
    public void transactionDecided(Verdict verdict, long basis, int accepted, int conflicted, int refused) {
        if (origin != null) {
            decided.add(new DecidedTransaction(
                    origin,
                    wallTimeMillis,
                    verdict,
                    basis,
                    accepted,
                    conflicted,
                    refused,
                    refusedItems,
                    acceptedByJob));
        }
    }
}
