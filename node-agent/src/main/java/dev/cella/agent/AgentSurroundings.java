package dev.cella.agent;

import dev.cella.transactions.cell.CellView;
import java.util.function.Supplier;

/** What all machines of an agent share. The view is the replica's, to be read on the loop. */
record AgentSurroundings(
        AgentLoop loop,
        AgentClock clock,
        Registrar registrar,
        Specifications specifications,
        ReportOutbox outbox,
        Supplier<CellView> view) {}
