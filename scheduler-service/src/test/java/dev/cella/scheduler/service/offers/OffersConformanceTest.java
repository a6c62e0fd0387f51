package dev.cella.scheduler.service.offers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.conformance.ConformanceKit;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The properties that every scheduler must have, and the options of the type. */
class OffersConformanceTest {
    private final OffersSchedulerProvider provider = new OffersSchedulerProvider();

    @Test
    void offers_conforms() {
        ConformanceKit.of(provider).check();
    }

    @Test
    void badOptions_areAnsweredInWords() {
        assertThatThrownBy(() -> provider.create(SchedulerOptions.of(provider.options(), Map.of("policy", "fifo"))))
                .hasMessageContaining("drf or lottery, not fifo");
        assertThatThrownBy(() -> provider.create(SchedulerOptions.of(provider.options(), Map.of("outstanding", "0"))))
                .hasMessageContaining("from 1");
    }
}
