package dev.cella.scheduling.live;

import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.Optional;

/** Where rows are named while there is no loop: one that begins reads the whole view. */
final class Unheard implements TouchedRows {
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
