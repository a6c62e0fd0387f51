package dev.cella.transactions.cell;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.Optional;

/**
 * Receives the rows that each version touched, after the tables show the version. Read the values from the view. A version may
 * name a row more than once. Override only the methods for the kinds of rows that you need.
 */
public interface TouchedRows {
    /** Ignores all rows; for readers that read the whole view again. */
    TouchedRows UNHEARD = new TouchedRows() {};

    /** The rows that follow were touched by this version, and by that transaction if there was one. */
    default void version(CellVersion version, CellTime time, long wallTimeMillis, Optional<Origin> transaction) {}

    /** The machine in that slot, which may be empty by now. A task that came or went has touched its machine too. */
    default void machine(int slot) {}

    /**
     * The queue of the machine in that slot: a task waits in it from now on, or no longer. What holds amounts on the machine is
     * named by {@link #machine}. Those who need not tell the two apart get one for the other.
     */
    default void queue(int slot) {
        machine(slot);
    }

    default void job(JobId job) {}

    default void task(TaskId task) {}

    /** A session. A new session ends the older one of its instance, which is not named. */
    default void session(SessionId session) {}
}
