package dev.cella.client.json;

import java.util.Optional;

/** Which keys a map may have whose keys are names of a certain kind. */
@FunctionalInterface
public interface KeyRule {
    /** The fault of a key, if it has one. */
    Optional<Refusal> refuse(String key);

    /**
     * Why a key is refused.
     *
     * @param message what is wrong with it
     * @param hint what to write instead, where that is known
     */
    record Refusal(String message, Optional<String> hint) {}
}
