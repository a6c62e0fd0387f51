package dev.cella.client;

import dev.cella.client.access.CellAccess;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The addresses of a cell's servers, each as {@code http://host:port}, and the client's credentials. Any server leads to the
 * others.
 */
public record CellAddresses(List<URI> all, CellAccess access) {
    public CellAddresses {
        all = List.copyOf(new LinkedHashSet<>(all));
        if (all.isEmpty()) {
            throw new IllegalArgumentException("a cell has at least one address");
        }
    }

    /** The addresses of an open cell, which needs no token. */
    public CellAddresses(List<URI> all) {
        this(all, CellAccess.NONE);
    }

    public static CellAddresses of(URI only) {
        return new CellAddresses(List.of(only));
    }

    public CellAddresses with(CellAccess other) {
        return new CellAddresses(all, other);
    }

    public URI first() {
        return all.get(0);
    }

    public int count() {
        return all.size();
    }

    /** The address after the given one, in a circle; the first if the given one is unknown. */
    public URI after(URI address) {
        return all.get((all.indexOf(address) + 1) % all.size());
    }

    /** As typed: separated by commas. */
    @Override
    public String toString() {
        return all.stream().map(URI::toString).collect(Collectors.joining(","));
    }
}
