package dev.cella.transactions.cell.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.TestCell;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleRuleTest {
    private static final int OTHERS = 40_000;

    private final TestCell cell = new TestCell();

    private CommandResult scale(int group, int count) {
        return cell.apply(new Command.ScaleGroup(cell.jobRow("j").id(), group, count));
    }

    private static GroupHeader group(String name, int count) {
        return new GroupHeader(name, count, Amounts.of(1_000), Restart.BATCH);
    }

    @Test
    void scale_countsTheTasksOfAllGroups() {
        JobHeader header = TestCell.header("j", "batch", 1, 1, 1)
                .withGroups(List.of(group("one", 50_000), group("other", OTHERS)));
        cell.apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
        assertThat(scale(0, JobHeader.TASKS_MAX - OTHERS)).isInstanceOf(CommandResult.Done.class);
        assertThat(reason(scale(0, JobHeader.TASKS_MAX - OTHERS + 1))).isEqualTo(Reason.BAD_COMMAND);
        assertThat(reason(scale(2, 1))).isEqualTo(Reason.UNKNOWN_TASK);
        assertThat(cell.jobRow("j").pending()).isEqualTo(JobHeader.TASKS_MAX);
    }

    private static Reason reason(CommandResult result) {
        return ((CommandResult.Refused) result).reason();
    }
}
