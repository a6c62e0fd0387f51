package dev.cella.planted.scheduler.batch;

import dev.cella.planted.transactions.cell.tables.Tables;

final class ReachesForTheTables {
    Tables tables() {
        return new Tables();
    }
}
