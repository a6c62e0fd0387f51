package com.example.spare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cella.scheduling.conformance.ConformanceKit;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SamplePlan;
import org.junit.jupiter.api.Test;

final class SpareCoreTest {
    @Test
    void conforms() {
        ConformanceKit.of(new SpareCoreProvider()).check();
    }

    @Test
    void oneCoreOfEachMachineStaysFree() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192);

        SamplePlan plan = cell.plan(new SpareCorePlanner(1_000), SampleCell.batch("job", 8, 1_000, 512));

        assertEquals(3, plan.claimsOn("m0"));
        assertEquals(3, plan.claimsOn("m1"));
        assertEquals("2 machines excluded by spareCpuMilli=1000", plan.reasons());
    }
}
