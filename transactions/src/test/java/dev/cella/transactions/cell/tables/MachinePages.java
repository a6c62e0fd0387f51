package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.WordPages;

/** Gives tests the pages that hold the machines' amounts. */
public final class MachinePages {
    public static WordPages of(Tables tables) {
        return tables.machines.amounts.rows();
    }

    private MachinePages() {}
}
