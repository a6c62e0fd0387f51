package dev.cella.simulator.engine;

import java.util.List;
import java.util.stream.Stream;

/** A run names something that does not exist. */
public final class UnknownWordException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<String> known;
    private final String typed;

    /** @param what such as "architecture" */
    public UnknownWordException(String what, String typed, Stream<String> known) {
        super("there is no " + what + " '" + typed + "'");
        this.typed = typed;
        this.known = known.toList();
    }

    public String typed() {
        return typed;
    }

    /** The words that could be meant. */
    public List<String> known() {
        return known;
    }
}
