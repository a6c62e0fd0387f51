package dev.cella.cli.demo;

import java.util.OptionalDouble;

/** What conflicts cost one scheduler, as the cell counts it. */
record Contention(
        String scheduler,
        long successful,
        long conflicted,
        long claimsPlaced,
        long claimsLost,
        OptionalDouble busyFraction,
        OptionalDouble wastedBusyFraction) {

    /** Conflicted transactions over successful ones: Omega's; empty while none is successful. */
    OptionalDouble fraction() {
        return successful == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) conflicted / successful);
    }
}
