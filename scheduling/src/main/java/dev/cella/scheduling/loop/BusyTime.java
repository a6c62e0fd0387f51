package dev.cella.scheduling.loop;

import dev.cella.transactions.model.TransactionId;
import java.util.HashMap;
import java.util.Map;

/**
 * How a scheduler spends its time. It is busy while it plans or has transactions in flight ("busyness", dissertation 3.2).
 * Planning time is wasted if the transaction then lost a claim to another. Owned by {@link SchedulerLoop}.
 */
final class BusyTime {
    private final Map<TransactionId, Long> planningOf = new HashMap<>();
    private long busyMillis;
    private long planningMillis;
    private long wastedMillis;

    void passed(long millis, boolean busy) {
        busyMillis += busy ? millis : 0;
    }

    void planned(long millis) {
        planningMillis += millis;
    }

    /** Adds the transaction's share of its plan's time. */
    void proposed(TransactionId transaction, long millis) {
        planningOf.put(transaction, millis);
    }

    void settled(TransactionId transaction, boolean conflicted) {
        Long millis = planningOf.remove(transaction);
        wastedMillis += millis != null && conflicted ? millis : 0;
    }

    long busyMillis() {
        return busyMillis;
    }

    long planningMillis() {
        return planningMillis;
    }

    long wastedMillis() {
        return wastedMillis;
    }
}
