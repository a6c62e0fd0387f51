package dev.cella.state.web.service;

import com.google.protobuf.Message;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The rows of a list at one version of the cell. A row becomes a message only when its page is requested.
 *
 * <p>Collected by one thread; not changed after that.
 */
final class Listing<M extends Message> {
    /** The most rows of one list after its first page: more than the largest measured cell has machines, or a job tasks. */
    static final int ROWS_MAX = 200_000;

    private final List<Supplier<M>> rows;
    private boolean cut;

    /** Rows that are collected one by one. */
    Listing() {
        this(new ArrayList<>(), false);
    }

    private Listing(List<Supplier<M>> rows, boolean cut) {
        this.rows = rows;
        this.cut = cut;
    }

    /**
     * Rows that are found by their places. None is collected for a page that nobody reads, and none can be added.
     *
     * @param row must not use the live cell
     */
    static <M extends Message> Listing<M> of(int size, IntFunction<M> row) {
        List<Supplier<M>> rows = new AbstractList<>() {
            @Override
            public Supplier<M> get(int place) {
                return () -> row.apply(place);
            }

            @Override
            public int size() {
                return Math.min(size, ROWS_MAX);
            }
        };
        return new Listing<>(rows, size > ROWS_MAX);
    }

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

    /**
     * The rows from that place on, up to these bounds. A row that is larger than {@code bytesMax} is a page of its own.
     */
    List<M> page(int from, int limit, long bytesMax) {
        List<M> page = new ArrayList<>();
        long bytes = 0;
        for (int place = from; place < rows.size() && page.size() < limit; place++) {
            M row = rows.get(place).get();
            bytes += row.getSerializedSize();
            if (bytes > bytesMax && !page.isEmpty()) {
                break;
            }
            page.add(row);
        }
        return page;
    }
}
