package dev.cella.state.web.service;

import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The rows of a list at one version of the cell. A row becomes a message only when its page is requested.
 *
 * <p>Collected by one thread; not changed after that.
 */
final class Listing<M extends Message> {
    /** The most rows of one list after its first page: the tasks of the largest job. */
    static final int ROWS_MAX = 100_000;

    private final List<Supplier<M>> rows = new ArrayList<>();
    private boolean cut;

    /** Adds a row. Returns false if there is no more room. The supplier must not use the live cell. */
    boolean add(Supplier<M> row) {
        if (rows.size() >= ROWS_MAX) {
            cut = true;
            return false;
        }
        rows.add(row);
        return true;
    }

    /** Returns whether there were more rows than a list can have. */
    boolean isCut() {
        return cut;
    }

    int size() {
        return rows.size();
    }

    List<M> page(int from, int limit) {
        return rows.subList(from, Math.min(rows.size(), from + limit)).stream()
                .map(Supplier::get)
                .toList();
    }
}
