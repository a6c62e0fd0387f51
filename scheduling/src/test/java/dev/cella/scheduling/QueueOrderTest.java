package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.model.CellTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class QueueOrderTest {
    private static final CellTime EARLY = new CellTime(1_000);
    private static final CellTime LATE = new CellTime(61_000);

    @Test
    void option_isRead() {
        assertThat(QueueOrder.parse("priority")).isEqualTo(QueueOrder.PRIORITY);
        assertThat(QueueOrder.parse("fifo")).isEqualTo(QueueOrder.FIFO);
        assertThat(QueueOrder.parse("ageing:10m")).isEqualTo(QueueOrder.ageing(Duration.ofMinutes(10)));
        assertThat(QueueOrder.parse(QueueOrder.OPTION.defaultValue())).isEqualTo(QueueOrder.PRIORITY);
    }

    @Test
    void option_ofAnotherForm_isRefusedWithTheRightOne() {
        assertThatThrownBy(() -> QueueOrder.parse("lifo"))
                .hasMessage("option order is priority, fifo, or ageing:10m with ms, s, m or h, not lifo");
        assertThatThrownBy(() -> QueueOrder.parse("ageing:1")).hasMessageContaining("not ageing:1");
        assertThatThrownBy(() -> QueueOrder.parse("ageing:9000h")).hasMessageContaining("365 days");
    }

    @Test
    void compare_byPriority_doesNotLookAtAge() {
        assertThat(QueueOrder.PRIORITY.compare(60, LATE, 50, EARLY)).isNegative();
        assertThat(QueueOrder.PRIORITY.compare(50, LATE, 50, EARLY)).isZero();
    }

    @Test
    void compare_fifo_doesNotLookAtPriority() {
        assertThat(QueueOrder.FIFO.compare(100, LATE, 0, EARLY)).isPositive();
    }

    @Test
    void compare_ageing_weighsAMinuteLikeAStep() {
        QueueOrder order = QueueOrder.ageing(Duration.ofMinutes(1));
        assertThat(order.compare(51, LATE, 50, EARLY)).isZero();
        assertThat(order.compare(52, LATE, 50, EARLY)).isNegative();
        assertThat(order.compare(50, LATE, 50, EARLY)).isPositive();
    }
}
