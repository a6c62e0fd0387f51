package dev.cella.state.web.service;

import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The rows of a list at one version of the cell. A row becomes a message only when its page is requested.
 *
 * <p>Collected by one thread; not changed after that.
 */
final class Listing<M extends Message> {
    /** The most rows of one list after its first page: more than the largest cell has machines, or its largest job tasks. */
    static final int ROWS_MAX = 200_000;

    private final IntFunction<M> row;
    private final List<Supplier<M>> collected;
    private int size;
    private boolean cut;

    /** Rows that are collected one by one. */
    Listing() {
        collected = new ArrayList<>();
        row = place -> collected.get(place).get();
    }

    private Listing(int size, IntFunction<M> row) {
        this.collected = List.of();
        this.row = row;
        this.size = Math.min(size, ROWS_MAX);
        this.cut = size > ROWS_MAX;
    }

    /**
     * Rows that can be found by their places, so that none is collected for pages that nobody reads.
     *
     * @param row must not use the live cell
     */
    static <M extends Message> Listing<M> of(int size, IntFunction<M> row) {
        return new Listing<>(size, row);
    }

    /** Adds a row. Returns false if there is no more room. The supplier must not use the live cell. */
    boolean add(Supplier<M> row) {
        if (size >= ROWS_MAX) {
            cut = true;
            return false;
        }
        collected.add(row);
        size++;
        return true;
    }

    /** Returns whether there were more rows than a list can have. */
    boolean isCut() {
        return cut;
    }

    int size() {
        return size;
    }

    List<M> page(int from, int limit) {
        return IntStream.range(from, Math.min(size, from + limit)).mapToObj(row).toList();
    }
}
