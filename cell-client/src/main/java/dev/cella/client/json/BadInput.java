package dev.cella.client.json;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** An input cannot be read. It has every fault that was found, in the order of the text. */
public final class BadInput extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    public BadInput(List<Fault> faults) {
        super(faults.stream().map(Fault::sentence).collect(joining("\n")));
        if (faults.isEmpty()) {
            throw new IllegalArgumentException("bad input without a fault");
        }
        this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
        return faults;
    }
}
