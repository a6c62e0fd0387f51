package com.example.staggered;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cella.scheduling.conformance.ConformanceKit;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SamplePlan;
import dev.cella.scheduling.conformance.SampleRun;
import org.junit.jupiter.api.Test;

final class StaggeredTest {
    private static final long GAP = 10_000;

    @Test
    void conforms() {
        ConformanceKit.of(new StaggeredProvider()).check();
    }

    @Test
    void aMachineGetsTheNextTaskAfterTheGap() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192);
        cell.submit(SampleCell.batch("job", 5, 500, 64));
        SampleRun run = SampleRun.of(new StaggeredScheduler(GAP), cell);
        long start = cell.time().millis();

        assertEquals(3, pending(run.runUntil(start + GAP - 1), cell));
        assertEquals(1, pending(run.runUntil(start + GAP), cell));
        assertEquals(0, pending(run.run(), cell));
        assertEquals(start + 2 * GAP, cell.time().millis());
    }

    private static int pending(SampleRun ignored, SampleCell cell) {
        return cell.view().job("job").orElseThrow().pending();
    }

    @Test
    void whatWaits_saysForWhat() {
        SampleCell cell = SampleCell.of(1, 4_000, 8_192);

        SamplePlan plan = cell.plan(new StaggeredScheduler(GAP), SampleCell.batch("job", 2, 500, 64));

        assertEquals(1, plan.claims());
        assertEquals("1 machine excluded by gapMillis=10000 after its last start", plan.reasons());
    }
}
