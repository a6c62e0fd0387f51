package dev.cella.scheduler.batch.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.Racks;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.TaskInputs;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Zaharia et al., "Delay Scheduling", EuroSys 2010, sections 3 and 4. */
class DelaySchedulingPaperTest {
    private static final long W1 = 5_000;
    private static final long W2 = 10_000;

    /** "if the head-of-line job cannot launch a local task, we skip it and look at subsequent jobs" (section 1). */
    @Test
    void plan_ofAJobWithoutALocalMachine_letsOthersGoFirst() {
        FairCell cell = fullOnItsMachine();
        cell.job("waits", "a", 1, inputsOn("m0"));
        cell.job("other", "b", 1, 1, 1);

        cell.plan();

        assertThat(cell.placed("waits")).isZero();
        assertThat(cell.placed("other")).isEqualTo(1);
        assertThat(cell.lastPlan().wakes())
                .anySatisfy(wake -> assertThat(wake)
                        .isInstanceOfSatisfying(
                                Wake.At.class,
                                at -> assertThat(at.time()).isEqualTo(cell.now().plusMillis(W1))));
        assertThat(cell.lastPlan().unplaced())
                .anySatisfy(left -> assertThat(left.sentence()).contains("locality"));
    }

    /** Room elsewhere is of no use to it. In a cell that is never full, it would be planned at the end of each task. */
    @Test
    void plan_ofAJobWithoutALocalMachine_waitsForRoomOnThatMachine() {
        FairCell cell = fullOnItsMachine();
        cell.job("waits", "a", 1, inputsOn("m0"));

        cell.plan();

        assertThat(rooms(cell))
                .singleElement()
                .satisfies(room -> assertThat(room.machines()).containsExactly("m0"));
    }

    @Test
    void plan_ofTasksWithInputsOfTheirOwn_waitsForTheMachinesOfThoseThatAreLeft() {
        FairCell cell = fullOnItsMachine();
        cell.job("waits", "a", 2, new GroupInputs(List.of(input("m5"), input("m0")), W1, W2));

        cell.plan();

        assertThat(cell.machinesOf("waits")).containsExactly("m5", "-");
        assertThat(rooms(cell))
                .singleElement()
                .satisfies(room -> assertThat(room.machines()).containsExactly("m0"));
    }

    @Test
    void plan_afterTheFirstWait_waitsForRoomInTheRackToo() {
        FairCell cell = fullInItsRack();
        cell.job("waits", "a", 1, inputsOn("m0"));

        cell.plan().pass(W1).plan();

        assertThat(rooms(cell)).extracting(Wake.Room::machines).containsExactly(Set.of("m0"), Set.of());
        assertThat(rooms(cell))
                .extracting(Wake.Room::constraints)
                .containsExactly(List.of(), List.of(Constraint.of(Racks.ATTRIBUTE, Operator.IN, "r0")));
    }

    /** In a full cell it does not wait for its machine: other room is what its wait begins with. */
    @Test
    void plan_whileNoMachineHasRoom_waitsForRoomAnywhere() {
        FairCell cell = new FairCell().slots(2, 1);
        cell.job("full", "z", 2, 1, 1);
        cell.plan();
        cell.job("waits", "a", 1, inputsOn("m0"));

        cell.plan();

        assertThat(rooms(cell))
                .singleElement()
                .satisfies(room -> assertThat(room.machines()).isEmpty());
    }

    @Test
    void plan_ofInputsThatNameRacksAlone_waitsForRoomInThem() {
        FairCell cell = fullInItsRack();
        TaskInputs rack = new TaskInputs(Set.of(), Set.of("r0"));
        cell.job("waits", "a", 1, new GroupInputs(List.of(rack), W1, W2));

        cell.plan();

        assertThat(rooms(cell)).singleElement().satisfies(room -> {
            assertThat(room.machines()).isEmpty();
            assertThat(room.constraints()).containsExactly(Constraint.of(Racks.ATTRIBUTE, Operator.IN, "r0"));
        });
    }

    /** Its machine may be removed meanwhile, and then it may go anywhere: no room tells of that. */
    @Test
    void plan_withALongWait_isRepeatedLongBeforeItsEnd() {
        FairCell cell = fullOnItsMachine();
        cell.job("waits", "a", 1, new GroupInputs(List.of(input("m0")), 3_600_000, W2));

        cell.plan();

        assertThat(cell.lastPlan().wakes())
                .filteredOn(Wake.At.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        Wake.At.class,
                        at -> assertThat(at.time()).isEqualTo(cell.now().plusMillis(10_000)));
    }

    /** One of its two tasks has room near its input in each plan, which is taken back: that is no launch. */
    @Test
    void plan_ofAJobAtOnceOfWhichAPartIsLocal_goesToTheRackAfterTheWait() {
        FairCell cell = new FairCell().slots(8, 4);
        cell.jobAtOnce("waits", "a", 2, inputsOn("m0"));

        assertGoesToTheRackAfterTheWait(cell);
    }

    /** The same for a gang. */
    @Test
    void plan_ofAGangOfWhichAPartIsLocal_goesToTheRackAfterTheWait() {
        FairCell cell = new FairCell().slots(8, 4);
        cell.gang("waits", "a", 2, inputsOn("m0"));

        assertGoesToTheRackAfterTheWait(cell);
    }

    /** Each of the two has room for one task near its input. The plan takes back the younger one first. */
    @Test
    void plan_ofTwoGangsOfWhichAPartIsLocal_letsNeitherLoseItsWait() {
        FairCell cell = new FairCell().slots(8, 4);
        cell.gang("older", "a", 2, inputsOn("m0"));
        cell.gang("younger", "a", 2, inputsOn("m4"));

        cell.plan().pass(W1 - 1).plan();
        assertThat(cell.machinesOf("older")).containsExactly("-", "-");
        assertThat(cell.machinesOf("younger")).containsExactly("-", "-");

        cell.pass(1).plan();
        assertThat(cell.machinesOf("older")).contains("m0").doesNotContain("-");
        assertThat(cell.machinesOf("younger")).contains("m4").doesNotContain("-");
    }

    private static void assertGoesToTheRackAfterTheWait(FairCell cell) {
        cell.plan();
        assertThat(cell.machinesOf("waits")).containsExactly("-", "-");
        assertThat(rooms(cell))
                .isNotEmpty()
                .allSatisfy(room -> assertThat(room.machines()).isEmpty());

        cell.pass(W1 - 1).plan();
        assertThat(cell.machinesOf("waits")).containsExactly("-", "-");

        cell.pass(1).plan();
        assertThat(cell.machinesOf("waits")).contains("m0").doesNotContain("-").doesNotContain("m4", "m5", "m6", "m7");
    }

    private static List<Wake.Room> rooms(FairCell cell) {
        return cell.lastPlan().wakes().stream()
                .filter(Wake.Room.class::isInstance)
                .map(Wake.Room.class::cast)
                .toList();
    }

    @Test
    void plan_ofAJobWhoseMachineHasRoom_placesItThere() {
        FairCell cell = new FairCell().slots(40, 10);
        cell.job("local", "a", 3, inputsOn("m7", "m17", "m27"));

        cell.plan();

        assertThat(cell.machinesOf("local")).containsExactlyInAnyOrder("m7", "m17", "m27");
    }

    /** Algorithm 3: "j has an unlaunched task t with rack-local data and (j.level >= 1 or j.wait >= W1)". */
    @Test
    void plan_afterTheFirstWait_goesToTheRack() {
        FairCell cell = fullOnItsMachine();
        cell.job("waits", "a", 1, inputsOn("m0"));

        cell.plan().pass(W1 - 1).plan();
        assertThat(cell.machinesOf("waits")).containsExactly("-");

        cell.pass(1).plan();
        assertThat(cell.machinesOf("waits").get(0)).isIn("m1", "m2", "m3");
    }

    /** Algorithm 3: "j.level = 2 or (j.level = 1 and j.wait >= W2) or (j.level = 0 and j.wait >= W1 + W2)". */
    @Test
    void plan_afterBothWaits_goesAnywhere() {
        FairCell cell = fullInItsRack();
        cell.job("waits", "a", 1, inputsOn("m0"));

        cell.plan().pass(W1 + W2 - 1).plan();
        assertThat(cell.machinesOf("waits")).containsExactly("-");

        cell.pass(1).plan();
        assertThat(cell.machinesOf("waits").get(0)).isIn("m4", "m5", "m6", "m7");
    }

    /** Algorithm 3: "set j.wait = 0 and j.level = 0", so the next task waits again. */
    @Test
    void plan_afterALocalLaunch_waitsAgain() {
        FairCell cell = fullOnItsMachine();
        cell.job("waits", "a", 3, inputsOn("m0"));
        cell.plan().pass(W1 - 1).stop("full").plan();
        assertThat(cell.machinesOf("waits")).containsExactly("m0", "-", "-");

        cell.pass(W1 - 1).plan();
        assertThat(cell.machinesOf("waits")).containsExactly("m0", "-", "-");

        cell.pass(1).plan();
        assertThat(cell.machinesOf("waits")).doesNotContain("-");
    }

    /** Waiting counts only while the job is skipped for locality, not while the cell is full. */
    @Test
    void plan_whileNoMachineHasRoom_doesNotCountAsAWait() {
        FairCell cell = new FairCell().slots(2, 1);
        cell.job("full", "z", 2, 1, 1);
        cell.plan();
        cell.job("waits", "a", 1, inputsOn("m0"));

        cell.plan().pass(W1 + W2).plan();
        assertThat(cell.lastPlan().wakes()).noneMatch(Wake.At.class::isInstance);
        assertThat(cell.placed("waits")).isZero();
    }

    /** "Initialize j.skipcount": a job that others overtake on every slot that becomes free waits all the same. */
    @Test
    void plan_ofAJobThatOthersOvertake_countsAsAWait() {
        FairCell cell = fullOnItsMachine();
        cell.job("waits", "a", 1, inputsOn("m0"));
        cell.job("takes", "b", 7, 1, 1);

        cell.plan().pass(W1 + W2).plan();
        assertThat(cell.placed("takes")).isEqualTo(7);
        assertThat(cell.placed("waits")).isZero();

        cell.stop("takes").job("late", "b", 7, 1, 1);
        cell.plan();
        assertThat(cell.placed("waits")).isEqualTo(1);
    }

    /** A task with input only outside of the cell has nothing to wait for. */
    @Test
    void plan_ofInputsThatNameNoMachineOfTheCell_goesAnywhereAtOnce() {
        FairCell cell = new FairCell().slots(2, 1);
        cell.job("lost", "a", 1, inputsOn("gone"));

        cell.plan();

        assertThat(cell.placed("lost")).isEqualTo(1);
    }

    @Test
    void plan_ofInputsThatNameRacksAlone_isAtHomeOnEachMachineOfThem() {
        FairCell cell = new FairCell().slots(8, 4);
        TaskInputs rack = new TaskInputs(Set.of(), Set.of("r1"));
        cell.job("racked", "a", 2, new GroupInputs(List.of(rack), W1, W2));

        cell.plan();

        assertThat(cell.machinesOf("racked")).isSubsetOf("m4", "m5", "m6", "m7");
    }

    @Test
    void plan_ofTasksWithInputsOfTheirOwn_placesEachAtIts() {
        FairCell cell = new FairCell().slots(8, 4);
        List<TaskInputs> each = List.of(input("m3"), input("m5"), input("m1"));
        cell.job("each", "a", 3, new GroupInputs(each, W1, W2));

        cell.plan();

        assertThat(cell.machinesOf("each")).containsExactly("m3", "m5", "m1");
    }

    /** m0 is taken by the job "full"; its rack has m1, m2 and m3. */
    private static FairCell fullOnItsMachine() {
        FairCell cell = new FairCell().slots(8, 4);
        cell.job("full", "z", 1, inputsOn("m0"));
        return cell.plan();
    }

    /** The whole rack r0, with m0 to m3, is taken by the job "full"; the rack r1 is free. */
    private static FairCell fullInItsRack() {
        FairCell cell = new FairCell().slots(8, 4);
        cell.job("full", "z", 4, inputsOn("m0", "m1", "m2", "m3"));
        return cell.plan();
    }

    private static GroupInputs inputsOn(String... machines) {
        return new GroupInputs(List.of(input(machines)), W1, W2);
    }

    private static TaskInputs input(String... machines) {
        return new TaskInputs(Set.of(machines), Set.of());
    }
}
