package dev.cella.transactions.cell;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.Optional;

/**
 * Hears which rows each version touched, after the tables show it; what is in the rows is read from the view. A row may
 * be named more than once a version. Whoever does not care for a kind of row hears nothing of it.
 */
public interface TouchedRows {
    /** For those who read the whole view anew. */
    TouchedRows UNHEARD = new TouchedRows() {};

    /** The rows that follow were touched by this version, and by that transaction if it was one. */
    default void version(CellVersion version, CellTime time, long wallTimeMillis, Optional<Origin> transaction) {}

    /** The machine in that slot, which may be empty by now. A task that came or went has touched its machine too. */
    default void machine(int slot) {}

    default void job(JobId job) {}

    default void task(TaskId task) {}

    /** One that was opened ends the older one of its instance, which is not named. */
    default void session(SessionId session) {}
}
