package dev.cella.bench.conflicts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.BatchPlacement;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bench on a cell so small that schedulers cannot help colliding. */
final class ConflictsBenchTest {
    private static final ConflictPoint ALONE =
            new ConflictPoint(50, BatchPlacement.FIRST_FIT, ConflictRule.RESOURCE, Atomicity.INCREMENTAL, 1);
    private static final ConflictPoint CROWDED =
            new ConflictPoint(50, BatchPlacement.BEST_FIT, ConflictRule.MACHINE, Atomicity.ALL_OR_NOTHING, 4);

    @TempDir
    private Path folder;

    @Test
    void alone_nothingConflicts_andInACrowdItDoes() throws Exception {
        ConflictsBench.Report report = ConflictsBench.run(folder, List.of(ALONE, CROWDED), 12, 8, 1, figures -> {});

        ConflictFigures alone = report.figures().get(0);
        assertThat(alone.claimsAccepted()).isPositive();
        assertThat(alone.conflictFraction()).hasValue(0);
        ConflictFigures crowded = report.figures().get(1);
        assertThat(crowded.claimsConflicted()).isPositive();
        assertThat(crowded.conflicted()).isPositive();
    }
}
