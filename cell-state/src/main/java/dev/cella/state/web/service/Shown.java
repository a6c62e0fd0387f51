package dev.cella.state.web.service;

import dev.cella.transactions.cell.CellView;
import java.util.OptionalLong;

/**
 * What was read of the cell.
 *
 * @param version which version it shows
 * @param changedVersion when it changed last
 */
record Shown<T>(T value, long version, long changedVersion) {
    /**
     * What is not there. Whoever has seen it, at a version above 0, asks because it is gone; whoever has not waits until it
     * comes.
     */
    static <T> Shown<T> absent(CellView view, T value, OptionalLong changedAfter) {
        boolean gone = changedAfter.orElse(0) > 0;
        return new Shown<>(value, view.version().number(), gone ? view.version().number() : 0);
    }

    static <T> Shown<T> of(CellView view, T value, long changedVersion) {
        return new Shown<>(value, view.version().number(), changedVersion);
    }
}
