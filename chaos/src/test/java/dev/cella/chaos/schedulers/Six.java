package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Scheduler;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The six schedulers that show that the seam carries any: each needs another part of it. */
public final class Six {
    private Six() {}

    public static Stream<Named<Supplier<Scheduler<?>>>> schedulers() {
        return Stream.of(
                Named.of("fair-heads", FairHeads::new),
                Named.of("preemptor", Preemptor::new),
                Named.of("partition", () -> new Partition(slot -> slot % 2 == 0)),
                Named.of("roller", Roller::new),
                Named.of("batch-matcher", BatchMatcher::new),
                Named.of("two-cell-spreader", TwoCellSpreader::new));
    }
}
