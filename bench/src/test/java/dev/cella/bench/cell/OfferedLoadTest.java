package dev.cella.bench.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class OfferedLoadTest {
    @Test
    void placing_addsTheTransactionsThatRelease() {
        OfferedLoad load = OfferedLoad.placing(2, 10, 20_000);

        assertThat(load.releases()).isTrue();
        assertThat(load.perSecond()).as("2,000 that place, 1,000 that release").hasValue(3_000);
        assertThat(OfferedLoad.placing(2, 10, 20).perSecond()).hasValue(3);
    }

    @Test
    void filling_placesAsManyTasksAsAsked() {
        OfferedLoad load = OfferedLoad.filling(2, 200, 16, 300_000);

        assertThat(load.releases()).isFalse();
        assertThat(load.commandsMax() * load.schedulers() * load.claims()).isEqualTo(300_000);
        assertThat(OfferedLoad.filling(2, 200, 16, 300_001).commandsMax()).isEqualTo(load.commandsMax() + 1);
    }
}
