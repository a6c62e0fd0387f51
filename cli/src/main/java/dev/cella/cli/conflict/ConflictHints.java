package dev.cella.cli.conflict;

import dev.cella.client.proto.LostClaim;
import dev.cella.client.proto.SchedulerConflicts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Recommends other settings if the ledger proves the cause of a scheduler's conflicts. A scheduler that loses little gets no
 * hint: conflicts are the price of not waiting for each other.
 */
final class ConflictHints {
    private static final int CLAIMS_MIN = 10;
    private static final double FRACTION_WORTH_A_WORD = 0.25;
    private static final double FRACTION_HIGH = 1;
    private static final int HOT_MACHINES = 3;

    private ConflictHints() {}

    /** At most one hint per scheduler: the one with the largest effect. */
    static List<String> of(List<SchedulerConflicts> schedulers, List<LostClaim> ledger) {
        List<String> hints = new ArrayList<>();
        for (SchedulerConflicts scheduler : schedulers) {
            List<LostClaim> lost = ledger.stream()
                    .filter(claim -> claim.getLoser().getScheduler().equals(scheduler.getName()))
                    .toList();
            boolean worth =
                    !scheduler.hasConflictFraction() || scheduler.getConflictFraction() >= FRACTION_WORTH_A_WORD;
            if (worth && lost.size() >= CLAIMS_MIN) {
                rule(scheduler, lost)
                        .or(() -> placement(scheduler, lost))
                        .or(() -> staleness(scheduler))
                        .ifPresent(hints::add);
            }
        }
        return hints;
    }

    private static Optional<String> rule(SchedulerConflicts of, List<LostClaim> lost) {
        long byRule = lost.stream()
                .filter(claim -> claim.getReason().equals("MACHINE_CHANGED"))
                .count();
        return 2 * byRule < lost.size()
                ? Optional.empty()
                : Optional.of(byRule + " of " + of.getName() + "'s " + lost.size()
                        + " lost claims are MACHINE_CHANGED; under conflictRule RESOURCE a claim is lost only where it"
                        + " no longer fits");
    }

    private static Optional<String> placement(SchedulerConflicts of, List<LostClaim> lost) {
        Map<String, Long> byMachine = new HashMap<>();
        lost.forEach(claim -> byMachine.merge(claim.getMachine(), 1L, Long::sum));
        long onHot = byMachine.values().stream()
                .sorted((one, other) -> Long.compare(other, one))
                .limit(HOT_MACHINES)
                .mapToLong(Long::longValue)
                .sum();
        return byMachine.size() <= HOT_MACHINES || 2 * onHot < lost.size()
                ? Optional.empty()
                : Optional.of(
                        onHot + " of " + of.getName() + "'s " + lost.size() + " lost claims were on " + HOT_MACHINES
                                + " machines: who looks for the best machine finds the one that others find; a placement that draws"
                                + " (first-fit, power-of-two) spreads them");
    }

    private static Optional<String> staleness(SchedulerConflicts of) {
        boolean high = of.hasConflictFraction() && of.getConflictFraction() >= FRACTION_HIGH;
        return high && of.hasStalenessVersionsMedian()
                ? Optional.of(
                        of.getName() + " loses " + Fractions.shown(true, of.getConflictFraction())
                                + " transactions for each that gets through, and its plans are "
                                + of.getStalenessVersionsMedian()
                                + " versions old when they are decided: fewer schedulers in parallel, or a shorter decision time")
                : Optional.empty();
    }
}
