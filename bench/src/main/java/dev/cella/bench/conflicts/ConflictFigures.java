package dev.cella.bench.conflicts;

import dev.cella.scheduling.loop.LoopCounters;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The sum over all schedulers of one point. */
public record ConflictFigures(
        ConflictPoint point, long successful, long conflicted, long claimsAccepted, long claimsConflicted) {
    static ConflictFigures of(ConflictPoint point, List<LoopCounters> counters) {
        long successful = 0;
        long conflicted = 0;
        long accepted = 0;
        long lost = 0;
        for (LoopCounters each : counters) {
            successful += each.transactionsSuccessful();
            conflicted += each.transactionsConflicted();
            accepted += each.claimsAccepted();
            lost += each.claimsConflicted();
        }
        return new ConflictFigures(point, successful, conflicted, accepted, lost);
    }

    /** Conflicted over successful transactions; empty while none is successful. */
    public OptionalDouble conflictFraction() {
        return successful == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) conflicted / successful);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d %% full, %s, %s, %s, %d in parallel: %d successful, %d conflicted; %d claims accepted, %d lost",
                point.fullPercent(),
                point.placement().word(),
                point.conflictRule(),
                point.atomicity(),
                point.schedulers(),
                successful,
                conflicted,
                claimsAccepted,
                claimsConflicted);
    }
}
