package dev.cella.state.conflicts;

import java.util.OptionalDouble;

/**
 * Transactions and claims by their outcome (SEMANTICS section 5, "Conflict, refusal, success"). Conflicted: another
 * transaction came first, for all or a part. Successful: no conflict, and at least one claim accepted. Refused: nothing
 * accepted, but no conflict.
 */
public record Totals(
        long attempted,
        long successful,
        long conflicted,
        long refused,
        long claimsAccepted,
        long claimsConflicted,
        long claimsRefused) {
    public static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0);

    public Totals plus(Totals other) {
        return new Totals(
                attempted + other.attempted,
                successful + other.successful,
                conflicted + other.conflicted,
                refused + other.refused,
                claimsAccepted + other.claimsAccepted,
                claimsConflicted + other.claimsConflicted,
                claimsRefused + other.claimsRefused);
    }

    /** Conflicted divided by successful transactions; empty if none is successful. */
    public OptionalDouble conflictFraction() {
        return successful == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) conflicted / successful);
    }
}
