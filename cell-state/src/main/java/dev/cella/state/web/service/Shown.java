package dev.cella.state.web.service;

import dev.cella.transactions.cell.CellView;
import java.util.OptionalLong;

/**
 * A value read from the cell.
 *
 * @param version the version that it shows
 * @param changedVersion when it last changed
 */
record Shown<T>(T value, long version, long changedVersion) {
    /**
     * A value that does not exist. If the reader has seen it, at a version above 0, it has changed because it is gone;
     * otherwise the reader waits until it comes.
     */
    static <T> Shown<T> absent(CellView view, T value, OptionalLong changedAfter) {
        return new Shown<>(value, view.version().number(), absentSince(view, changedAfter));
    }

    /** When a value that does not exist changed last, as {@link #absent} says. */
    static long absentSince(CellView view, OptionalLong changedAfter) {
        boolean gone = changedAfter.orElse(0) > 0;
        return gone ? view.version().number() : 0;
    }

    static <T> Shown<T> of(CellView view, T value, long changedVersion) {
        return new Shown<>(value, view.version().number(), changedVersion);
    }
}
