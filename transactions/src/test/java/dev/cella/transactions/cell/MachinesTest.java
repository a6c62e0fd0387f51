package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.CommandResult.Effect;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Rights;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Machines and dimensions at their bounds. */
class MachinesTest {
    private final TestCell cell = new TestCell();

    private CommandResult add(String name, Dimension.Kind kind) {
        return cell.apply(new Command.AddDimension(new Dimension(name, kind)));
    }

    private CommandResult put(Amounts capacity) {
        return cell.apply(new Command.PutMachine("m", capacity, new TreeMap<>(), Optional.empty(), true));
    }

    private static Optional<Reason> refusal(CommandResult result) {
        return result instanceof CommandResult.Refused refused ? Optional.of(refused.reason()) : Optional.empty();
    }

    @Test
    void addDimension_thatThereIs_changesNothing_unlessItIsOfAnotherKind() {
        assertThat(add("cpuMilli", Dimension.Kind.COUNT))
                .isInstanceOfSatisfying(
                        CommandResult.Done.class,
                        done -> assertThat(done.effect()).isEqualTo(Effect.UNCHANGED));
        assertThat(refusal(add("cpuMilli", Dimension.Kind.SET))).contains(Reason.BAD_COMMAND);
    }

    @Test
    void addDimension_afterTheLastThatThereMayBe_isRefused() {
        for (int place = Dimensions.FOUNDING.size(); place < Dimensions.SIZE_MAX; place++) {
            assertThat(refusal(add("d" + place, Dimension.Kind.COUNT))).isEmpty();
        }
        assertThat(refusal(add("more", Dimension.Kind.COUNT))).contains(Reason.BAD_COMMAND);
        assertThat(cell.view().dimensions().size()).isEqualTo(Dimensions.SIZE_MAX);
    }

    @Test
    void putMachine_withWhatTheCellDoesNotKnow_isRefused() {
        Members ofCpu = Members.NONE.with(Dimensions.CPU_MILLI, MemberSet.of(1));
        assertThat(refusal(put(Amounts.of(1, 1, 1, 1)))).contains(Reason.BAD_COMMAND);
        assertThat(refusal(put(Amounts.of(1, 1, 1).naming(ofCpu)))).contains(Reason.BAD_COMMAND);
        assertThat(refusal(put(Amounts.of(1, 1, 1)))).isEmpty();
    }

    /** Covers an eviction, too, and the state after another claim has touched the machine. */
    @Test
    void shrinkingMachine_givesNothingOfTheExcessDimension() {
        put(Amounts.of(2_000, 100));
        cell.job("low", 1, 2_000, 0);
        cell.job("lean", 1, 0, 10);
        cell.job("high", 1, 500, 0);
        cell.place("low", 0, "m");
        put(Amounts.of(1_000, 100));
        cell.apply(new Command.SetRights("batch", new Rights(50, List.of(), true, Rights.Evicts.ANY)));
        Outcome outcome = cell.commit(cell.transaction("t")
                .claim(cell.task("lean", 0), 1, 0)
                .claim(cell.task("high", 0), 1, 0)
                .evict(new Eviction(cell.task("low", 0), 1, OptionalInt.of(1))));
        assertThat(outcome.accepted()).isEqualTo(1);
        assertThat(outcome.result(1).reason()).contains(Reason.DOES_NOT_FIT);
    }

    @Test
    void totals_areOfMachinesThatAreNotDown_andEndAtTheLargestAmount() {
        cell.machine("one", 4_000, Amounts.AMOUNT_MAX);
        cell.machineWithAgent("other", 2_000, Amounts.AMOUNT_MAX, "boot");
        cell.job("j", 1, 500, 1);
        cell.place("j", 0, "other");

        assertThat(cell.view().totalCapacity(Dimensions.CPU_MILLI)).isEqualTo(6_000);
        assertThat(cell.view().totalFree(Dimensions.CPU_MILLI)).isEqualTo(5_500);
        assertThat(cell.view().totalCapacity(Dimensions.MEMORY_MIB)).isEqualTo(Amounts.AMOUNT_MAX);
        assertThat(cell.view().totalCapacityDown(Dimensions.CPU_MILLI)).isZero();

        cell.apply(new Command.LoseMachine(cell.machineId("other")));
        assertThat(cell.view().totalCapacity(Dimensions.CPU_MILLI)).isEqualTo(4_000);
        assertThat(cell.view().totalCapacityDown(Dimensions.CPU_MILLI)).isEqualTo(2_000);
        assertThat(cell.view().totalFree(Dimensions.CPU_MILLI)).isEqualTo(4_000);
        assertThat(cell.view().totalFree(Dimensions.MEMORY_MIB)).isEqualTo(Amounts.AMOUNT_MAX);
    }
}
