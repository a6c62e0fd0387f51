package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UndoTest {
    private static final long CPU = 1_000;

    private final PlannedCell cell = new PlannedCell();

    /** Counts the items that are looked at. */
    private int looks;

    private boolean isAtLeast(int least, int item) {
        looks++;
        return item >= least;
    }

    @Test
    void takeBack_ofTheLastItems_looksAtNoOthers() {
        List<Integer> items =
                new ArrayList<>(IntStream.range(0, 100_000).boxed().toList());
        assertThat(Drafting.takeBack(items, 10, item -> isAtLeast(99_990, item)))
                .containsExactly(99_990, 99_991, 99_992, 99_993, 99_994, 99_995, 99_996, 99_997, 99_998, 99_999);
        assertThat(items).hasSize(99_990).endsWith(99_988, 99_989);
        assertThat(looks).isEqualTo(20);
    }

    @Test
    void takeBack_ofNothing_looksAtNothing() {
        List<Integer> items = new ArrayList<>(List.of(1, 2, 3));
        assertThat(Drafting.takeBack(items, 0, item -> isAtLeast(0, item))).isEmpty();
        assertThat(items).containsExactly(1, 2, 3);
        assertThat(looks).isZero();
    }

    @Test
    void takeBack_ofItemsBetweenOthers_keepsTheOthersInOrder() {
        List<Integer> items = new ArrayList<>(List.of(0, 7, 1, 8, 2, 9, 3));
        assertThat(Drafting.takeBack(items, 3, item -> item > 5)).containsExactly(7, 8, 9);
        assertThat(items).containsExactly(0, 1, 2, 3);
    }

    @Test
    void undo_ofOneJob_keepsTheClaimsOfOthersAndGivesItsRoomBack() {
        int machine = cell.machine("m", 5 * CPU);
        JobRow one = cell.job(4, CPU);
        JobRow other = cell.job(4, CPU);
        TransactionStamp stamp = new TransactionStamp("s", new SessionId(1), 1, 100);
        try (PlanningView view =
                new PlanningView(cell.view(), cell.view().draft(), new TaskSet(), stamp, cell.surroundings())) {
            PendingGroup ofOne = view.pendingGroups(one.id()).get(0);
            PendingGroup ofOther = view.pendingGroups(other.id()).get(0);
            ofOne.claimNext(machine);
            ofOther.claimNext(machine);
            ofOne.claimNext(machine);
            ofOther.claimNext(machine);
            assertThat(view.unproposed(one.id())).isEqualTo(2);

            view.undo(one.id());
            assertThat(view.unproposed(one.id())).isZero();
            assertThat(view.unproposed(other.id())).isEqualTo(2);
            assertThat(view.free(machine, 0)).isEqualTo(3 * CPU);
            assertThat(view.pending(one.id())).isEqualTo(4);

            assertThat(view.propose(other.header())).hasSize(1);
            assertThat(view.unproposed(other.id())).isZero();
            view.undo(other.id());
            assertThat(view.free(machine, 0)).isEqualTo(3 * CPU);
        }
    }
}
