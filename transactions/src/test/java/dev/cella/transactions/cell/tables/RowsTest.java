package dev.cella.transactions.cell.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.TestCell;
import dev.cella.transactions.cell.pages.WordPages;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TransactionId;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Rows of holds and of machines alone: what a hold still wants, and what a machine has after dimensions are added.
 */
class RowsTest {
    private static final int PORTS = 3;

    @Test
    void hold_someMembersUsed_wantsThatManyLess() {
        HoldRow hold = hold(ports(3, "8005").plus(Amounts.of(1_000)), ports(2, "8005,8007"));

        assertThat(hold.use(ports(1, "8005").plus(Amounts.of(400)))).isEqualTo(ports(1, "8005"));

        assertThat(hold.got()).isEqualTo(ports(1, "8007"));
        assertThat(hold.wanted()).isEqualTo(Amounts.of(600, 0, 0, 2));
    }

    @Test
    void hold_moreUsedThanWanted_isUsedUp() {
        HoldRow hold = hold(ports(2, ""), ports(1, "8007"));

        assertThat(hold.use(ports(3, "8007-8009"))).isEqualTo(ports(1, "8007"));

        assertThat(hold.isUsedUp()).isTrue();
    }

    @Test
    void hold_otherMembersUsed_stillWantsTheMembersThatItNamesAndHas() {
        HoldRow named = hold(ports(2, "8005-8006"), ports(1, "8005"));
        named.use(ports(2, "8005,8009"));
        assertThat(named.wanted()).isEqualTo(ports(1, "8006"));

        HoldRow got = hold(ports(2, ""), ports(2, "8005-8006"));
        got.use(ports(2, "8005,8009"));
        assertThat(got.wanted()).isEqualTo(ports(1, ""));
        assertThat(got.got()).isEqualTo(ports(1, "8006"));
    }

    /** A planner gives back the same members that it took. */
    @Test
    void draft_takesPorts_namesThem_andHasThemAgainWhenGivenBack() {
        TestCell cell = new TestCell();
        cell.apply(new Command.RaiseFeatureLevel(2));
        cell.apply(new Command.AddDimension(new Dimension("ports", Dimension.Kind.SET)));
        cell.apply(new Command.PutMachine("m", ports(2, "8005-8006"), new TreeMap<>(), Optional.empty(), false));
        Draft draft = cell.view().draft();
        draft.clear();

        Amounts taken = draft.take(0, ports(1, ""));

        assertThat(taken).isEqualTo(ports(1, "8005"));
        assertThat(draft.fits(0, ports(1, "8005"))).isFalse();
        assertThat(draft.take(0, ports(1, "8006"))).isEqualTo(ports(1, "8006"));
        draft.give(0, taken);
        assertThat(draft.fits(0, ports(1, "8005"))).isTrue();
        assertThat(draft.fits(0, ports(1, "8006"))).isFalse();
    }

    @Test
    void job_withMoreConflictsThanCanBeCounted_isInACheckpointThatLoads() {
        TestCell cell = new TestCell();
        cell.job("j", 1, 1, 1);
        JobTable jobs = cell.tables().jobs;
        jobs.tried(cell.jobRow("j"), Integer.MAX_VALUE - 1);
        jobs.tried(cell.jobRow("j"), 10_000);
        assertThat(cell.reloaded().view().job("j").orElseThrow().conflicts()).isEqualTo(Integer.MAX_VALUE);
    }

    private static HoldRow hold(Amounts wanted, Amounts got) {
        TestCell cell = new TestCell();
        cell.job("j", 1, 1, 1);
        HoldRow hold =
                new HoldRow(new Origin(new TransactionId("t"), "batch", 0, 2), 0, cell.jobRow("j"), 0, wanted, 9_000);
        hold.grow(got);
        return hold;
    }

    private static Amounts ports(int count, String named) {
        Amounts amounts = Amounts.of(0, 0, 0, count);
        return named.isEmpty() ? amounts : amounts.naming(Members.NONE.with(PORTS, MemberSet.parse(named)));
    }

    @Test
    void machine_whenADimensionIsAdded_hasWhatItHad_andNothingOfThat() {
        MachineAmounts machines = new MachineAmounts();
        for (int slot = 0; slot < 2; slot++) {
            machines.reach(slot);
            machines.mark(slot, MachineAmounts.EXISTS, true);
            for (int dimension = 0; dimension < PORTS; dimension++) {
                machines.set(slot, dimension, 10 + dimension, 20 + dimension, 30 + dimension);
            }
        }
        WordPages before = machines.rows();
        machines.widen(PORTS, 2);
        assertThat(machines.rows()).as("there is room").isSameAs(before);

        machines.widen(PORTS + 1, 2);

        assertThat(machines.width()).isEqualTo(2 * PORTS);
        for (int slot = 0; slot < 2; slot++) {
            assertThat(machines.isReady(slot)).isTrue();
            for (int dimension = 0; dimension < machines.width(); dimension++) {
                boolean isOld = dimension < PORTS;
                assertThat(machines.free(slot, dimension)).isEqualTo(isOld ? 10 + dimension : 0);
                assertThat(machines.capacity(slot, dimension)).isEqualTo(isOld ? 20 + dimension : 0);
                assertThat(machines.wanted(slot, dimension)).isEqualTo(isOld ? 30 + dimension : 0);
            }
        }
    }
}
