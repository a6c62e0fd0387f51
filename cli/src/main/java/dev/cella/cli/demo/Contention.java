package dev.cella.cli.demo;

import dev.cella.client.proto.SchedulerConflicts;
import java.util.Optional;
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

    /** What the cell counted, and how busy the scheduler itself says that it was where the cell was not told. */
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

    /** Conflicted transactions over successful ones: Omega's; empty while none is successful. */
    OptionalDouble fraction() {
        return successful == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) conflicted / successful);
    }
}
