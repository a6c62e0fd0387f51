package dev.cella.state.web.service;

import dev.cella.transactions.cell.CellView;

/**
 * What was read of the cell.
 *
 * @param version which version it shows
 * @param changedVersion when it changed last
 */
record Shown<T>(T value, long version, long changedVersion) {
    static <T> Shown<T> of(CellView view, T value, long changedVersion) {
        return new Shown<>(value, view.version().number(), changedVersion);
    }
}
