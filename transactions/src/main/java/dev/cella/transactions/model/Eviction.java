package dev.cella.transactions.model;

import java.util.OptionalInt;

/**
 * Ends a placed task at the attempt named. {@code forClaim} is the place of the claim that takes over what the victim holds;
 * without one the eviction is independent.
 */
public record Eviction(TaskId task, int attempt, OptionalInt forClaim) {
    public Eviction {
        if (attempt < 1) {
            throw new IllegalArgumentException("attempts are counted from 1, not from " + attempt);
        }
    }
}
