package dev.cella.scheduler.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchSchedulerProviderTest {
    @Test
    void providers_areFoundByTheirTypes() {
        assertThat(ServiceLoader.load(SchedulerProvider.class))
                .extracting(SchedulerProvider::type)
                .containsExactly("batch", "apollo", "fair", "megha", "sparrow");
        assertThat(ServiceLoader.load(SchedulerProvider.class))
                .allSatisfy(provider -> assertThat(provider.create(SchedulerOptions.defaults(provider.options())))
                        .isNotNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "power-of-two", "best-fit", "worst-fit"})
    void placement_isChosenByItsWord(String word) {
        SchedulerProvider provider = new BatchSchedulerProvider();
        assertThat(provider.create(SchedulerOptions.of(provider.options(), Map.of("placement", word))))
                .isNotNull();
    }

    @Test
    void placementThatIsNone_isRefusedWithThoseThereAre() {
        SchedulerProvider provider = new BatchSchedulerProvider();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> provider.create(SchedulerOptions.of(provider.options(), Map.of("placement", "best"))))
                .withMessage("option placement is one of first-fit, power-of-two, best-fit, worst-fit, not best");
    }
}
