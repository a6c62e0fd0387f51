package dev.cella.scheduler.batch;

import dev.cella.scheduler.batch.apollo.ApolloSchedulerProvider;
import dev.cella.scheduler.batch.fair.FairSchedulerProvider;
import dev.cella.scheduler.batch.megha.MeghaSchedulerProvider;
import dev.cella.scheduler.batch.sparrow.SparrowSchedulerProvider;
import dev.cella.scheduling.conformance.ConformanceKit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every scheduler must keep, by each placement. */
class ConformanceTest {
    @ParameterizedTest
    @EnumSource
    void batch_conforms(BatchPlacement placement) {
        ConformanceKit.of(new BatchSchedulerProvider(), Map.of("placement", placement.word()))
                .check();
    }

    @Test
    void sparrow_conforms() {
        ConformanceKit.of(new SparrowSchedulerProvider()).check();
    }

    @ParameterizedTest
    @ValueSource(strings = {"paper", "public"})
    void megha_conforms(String variant) {
        ConformanceKit.of(new MeghaSchedulerProvider(), Map.of("variant", variant))
                .check();
    }

    @ParameterizedTest
    @CsvSource({"shares, pools", "heartbeatSeconds, 10"})
    void megha_conforms(String option, String value) {
        ConformanceKit.of(new MeghaSchedulerProvider(), Map.of(option, value)).check();
    }

    @Test
    void apollo_conforms() {
        ConformanceKit.of(new ApolloSchedulerProvider()).check();
    }

    @Test
    void fair_conforms() {
        ConformanceKit.of(new FairSchedulerProvider()).check();
    }
}
