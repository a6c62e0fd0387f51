package dev.cella.client.json;

import java.util.Optional;

/** The rule for the keys of a map whose keys are names of one kind. */
@FunctionalInterface
public interface KeyRule {
    /** The fault of a key, if it has one. */
    Optional<Refusal> refuse(String key);

    /**
     * The refusal of a key.
     *
     * @param message the fault
     * @param hint what to write instead, if known
     */
    record Refusal(String message, Optional<String> hint) {}
}
