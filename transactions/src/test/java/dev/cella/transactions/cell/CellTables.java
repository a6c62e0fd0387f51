package dev.cella.transactions.cell;

import dev.cella.transactions.cell.tables.Tables;

/** Gives tests of the rooms the tables behind a view. */
public final class CellTables {
    public static Tables of(CellView view) {
        return view.tables();
    }

    private CellTables() {}
}
