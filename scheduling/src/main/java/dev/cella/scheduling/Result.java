package dev.cella.scheduling;

import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.List;

/** The result of one transaction of a job's turn. The outcome names each of its items, in order. */
public record Result(Transaction transaction, Outcome outcome) {
    /** The victims that were not evicted. */
    public List<TaskId> victimsRefused() {
        List<TaskId> refused = new ArrayList<>();
        int item = transaction.claims();
        for (Eviction eviction : transaction.evictions()) {
            if (!isAccepted(item++)) {
                refused.add(eviction.task());
            }
        }
        return refused;
    }

    /** The steps that were not taken. */
    public List<Step> stepsRefused() {
        List<Step> refused = new ArrayList<>();
        int item = transaction.items()
                - transaction.scales().size()
                - transaction.steps().size();
        for (Step step : transaction.steps()) {
            if (!isAccepted(item++)) {
                refused.add(step);
            }
        }
        return refused;
    }

    /** Returns whether every item was accepted. */
    public boolean isWhole() {
        for (int item = 0; item < transaction.items(); item++) {
            if (!isAccepted(item)) {
                return false;
            }
        }
        return outcome.reason().isEmpty();
    }

    private boolean isAccepted(int item) {
        return item < outcome.items() && outcome.isAccepted(item);
    }
}
