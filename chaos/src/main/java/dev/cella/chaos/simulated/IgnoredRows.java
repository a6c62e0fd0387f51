package dev.cella.chaos.simulated;

import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.Optional;

/** For a client that does not look at rows yet. */
class IgnoredRows implements TouchedRows {
    static final IgnoredRows INSTANCE = new IgnoredRows();

    @Override
    public void version(CellVersion version, CellTime time, long wallTimeMillis, Optional<Origin> transaction) {}

    @Override
    public void machine(int slot) {}

    @Override
    public void job(JobId job) {}

    @Override
    public void task(TaskId task) {}

    @Override
    public void session(SessionId session) {}
}
