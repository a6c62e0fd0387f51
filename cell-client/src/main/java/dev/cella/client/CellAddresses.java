package dev.cella.client;

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/** Where the servers of one cell answer, each as {@code http://host:port}. Any of them leads to the others. */
public record CellAddresses(List<URI> all) {
    public CellAddresses {
        all = List.copyOf(new LinkedHashSet<>(all));
        if (all.isEmpty()) {
            throw new IllegalArgumentException("a cell has at least one address");
        }
    }

    public static CellAddresses of(URI only) {
        return new CellAddresses(List.of(only));
    }

    public URI first() {
        return all.get(0);
    }

    public int count() {
        return all.size();
    }

    /** Whom to ask after that one, in a circle; the first, after one that is not among them. */
    public URI after(URI address) {
        return all.get((all.indexOf(address) + 1) % all.size());
    }

    /** As it is typed: one after another, by commas. */
    @Override
    public String toString() {
        return all.stream().map(URI::toString).collect(Collectors.joining(","));
    }
}
