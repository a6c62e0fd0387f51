package dev.cella.cli.demo;

import dev.cella.client.proto.SchedulerConflicts;
import java.util.Optional;
import java.util.OptionalDouble;

/** The cost of conflicts for one scheduler, as the cell counts it. */
record Contention(
        String scheduler,
        long successful,
        long conflicted,
        long claimsPlaced,
        long claimsLost,
        OptionalDouble busyFraction,
        OptionalDouble wastedBusyFraction) {

    /** The cell's counts, and the scheduler's own busy fraction if the cell does not have it. */
    static Contention of(String scheduler, SchedulerConflicts counted, Optional<Double> busyFraction) {
        return new Contention(
                scheduler,
                counted.getSuccessful(),
                counted.getConflicted(),
                counted.getClaimsAccepted(),
                counted.getClaimsConflicted(),
                counted.hasBusyFraction()
                        ? OptionalDouble.of(counted.getBusyFraction())
                        : busyFraction.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
                counted.hasWastedBusyFraction()
                        ? OptionalDouble.of(counted.getWastedBusyFraction())
                        : OptionalDouble.empty());
    }

    /** Conflicted divided by successful transactions, as in Omega; empty while none is successful. */
    OptionalDouble fraction() {
        return successful == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) conflicted / successful);
    }
}
