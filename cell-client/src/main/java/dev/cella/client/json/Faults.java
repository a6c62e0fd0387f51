package dev.cella.client.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The faults found so far in one input; there is an end to them, so that hostile input costs little. */
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
