package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.web.RunningCell.Reply;
import dev.cella.transactions.model.Amounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The cell's sums over its machines when they exceed the largest amount. */
final class CellSumsTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void machinesThatAreMoreTogetherThanTheLargestAmount_areShownAsThat() {
        CELL.putMachine("large-1", Amounts.AMOUNT_MAX, 1);
        CELL.putMachine("large-2", Amounts.AMOUNT_MAX, 1);

        Reply cell = CELL.get("/v1/cell");

        assertThat(cell.status()).as(cell.body()).isEqualTo(200);
        assertThat(cell.json().get("capacity").get("cpuMilli").asLong()).isEqualTo(Amounts.AMOUNT_MAX);
        assertThat(cell.json().get("free").get("memoryMib").asLong()).isEqualTo(2);
    }
}
