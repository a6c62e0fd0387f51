package dev.cella.agent;

import dev.cella.transactions.cell.CellView;
import java.util.function.Supplier;

/** The parts that all machines of an agent share. The view is the replica's; read it on the loop. */
record AgentSurroundings(
        AgentLoop loop,
        AgentClock clock,
        long leaseMillis,
        Registrar registrar,
        Specifications specifications,
        ReportOutbox outbox,
        Hosts hosts,
        StartOutbox starts,
        QueueWaits waits,
        Supplier<CellView> view) {}
