package dev.cella.client.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The faults found so far in one input. Their number is bounded, so that hostile input costs little. */
final class Faults {
    private static final int MAX = 50;

    private final List<Fault> found = new ArrayList<>();

    void add(Path path, Location location, String message) {
        add(path, location, message, Optional.empty());
    }

    void add(Path path, Location location, String message, Optional<String> hint) {
        if (!full()) {
            found.add(new Fault(path.toString(), message, hint, location.line(), location.column()));
        }
    }

    /** Adds a fault before all others: a fault in the text's form makes the others doubtful. */
    void addFirst(Location location, String message) {
        found.add(0, new Fault(Path.ROOT.toString(), message, Optional.empty(), location.line(), location.column()));
    }

    void addAll(List<Fault> faults) {
        faults.stream().limit(MAX - found.size()).forEach(found::add);
    }

    List<Fault> found() {
        return List.copyOf(found);
    }

    int count() {
        return found.size();
    }

    boolean full() {
        return found.size() >= MAX;
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new BadInput(found);
        }
    }
}
