package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnLimitsTest {
    /** Linux has at least this many numbers for processes. */
    private static final long NUMBERS_MIN = 301;

    @Test
    void processes_areAsManyAsATaskNeeds() {
        assertThat(OwnLimits.PROCESSES).isGreaterThanOrEqualTo(NUMBERS_MIN);
    }

    @Test
    void files_areAsManyAsATaskNeeds() {
        assertThat(OwnLimits.FILES).isBetween(1_024L, 65_536L);
    }
}
