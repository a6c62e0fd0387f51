package dev.cella.scheduler.batch.megha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.Placement;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A global master on the live seam: partitions, repartitions, and cells that are machines of the home. */
class MeghaSchedulerTest {
    private static final int JOBS = 12;

    private static Scheduler<?> megha(String variant) {
        MeghaSchedulerProvider provider = new MeghaSchedulerProvider();
        return provider.create(SchedulerOptions.of(provider.options(), Map.of("variant", variant)));
    }

    /** "The GM uses its global state ... to pick a worker node from one of its internal partitions" (IV-B2). */
    @ParameterizedTest
    @ValueSource(strings = {"paper", "public"})
    void tasks_goToTheOwnPartition_whileItHasRoom(String variant) {
        SampleCell cell = SampleCell.of(16, 1_000_000, 1_000_000).beside("two");
        submit(cell, JOBS, 20);
        SampleRun.of(megha(variant), cell).run();
        assertThat(tasks(cell)).isPositive();
        assertThat(usedMachines(cell)).isBetween(1, 15);
    }

    /** "When no match is found, the GM looks at the external partitions" (IV-B3). */
    @ParameterizedTest
    @ValueSource(strings = {"paper", "public"})
    void tasks_takeOthersPartitions_whenTheOwnIsFull(String variant) {
        SampleCell cell = SampleCell.of(16, 1_000, 1_000).beside("two");
        submit(cell, JOBS, 20);
        SampleRun run = SampleRun.of(megha(variant), cell).run();
        assertThat(usedMachines(cell)).isEqualTo(16);
        assertThat(run.repartitions(0)).isBetween(1L, 15L);
    }

    /** "It chooses a partition from its internal partitions in a round-robin fashion" (IV-B3). */
    @Test
    void tasksOfOneJob_goToTheCellsInTurns() {
        SampleCell member = SampleCell.of(4, 4_000, 8_192);
        SampleCell home = SampleCell.of(4, 4_000, 8_192);
        offer(member, home, 16_000);
        home.submit(SampleCell.batch("web", 8, 1_000, 64));
        SampleRun.of(megha("paper"), home, member).run();
        assertThat(tasks(home)).isEqualTo(8);
        assertThat(tasksOn(home, "cell-member")).isEqualTo(4);
    }

    @Test
    void memberThatIsFull_getsNothing_andTheJobIsWokenWhenItHasRoom() {
        SampleCell member = SampleCell.of(1, 4_000, 8_192);
        member.fill(SampleCell.batch("local", 4, 1_000, 64));
        SampleCell home = SampleCell.of(1, 1_000, 8_192);
        offer(member, home, 4_000);
        home.submit(SampleCell.batch("web", 3, 1_000, 64));
        SampleRun run = SampleRun.of(megha("paper"), home, member).run();
        assertThat(tasksOn(home, "cell-member")).isZero();
        assertThat(run.status().jobs().get(0).unplaced().get(0).sentence())
                .contains("1 excluded by its own machines, of which none has room as far as its scheduler sees");
        member.machine("late", 2_000, 8_192);
        run.run();
        assertThat(tasksOn(home, "cell-member")).isEqualTo(2);
    }

    /** The amounts of tasks on their way are not promised again, whatever the old view of the member shows. */
    @Test
    void tasksUnderWay_areCountedBesideTheViewOfTheMember() {
        SampleCell member = SampleCell.of(1, 2_000, 8_192);
        SampleCell home = SampleCell.of(0, 0, 0);
        offer(member, home, 100_000);
        for (int job = 0; job < 5; job++) {
            home.submit(SampleCell.batch("j" + job, 1, 1_000, 64));
        }
        SampleRun.of(megha("paper"), home, member).run();
        assertThat(tasksOn(home, "cell-member")).isEqualTo(2);
    }

    @Test
    void constraint_isAboutTheMachinesOfTheMember() {
        SampleCell member = SampleCell.of(1, 4_000, 8_192).machine("ssd", 2_000, 8_192, Map.of("disk", "ssd"));
        SampleCell home = SampleCell.of(1, 4_000, 8_192);
        offer(member, home, 6_000);
        GroupPlacement onSsd = GroupPlacement.ANYWHERE.with(Constraint.of("disk", Operator.EQ, "ssd"));
        home.asks("web", 1, new Placement(List.of(onSsd)));
        home.submit(SampleCell.batch("web", 4, 1_000, 64));
        SampleRun.of(megha("paper"), home, member).run();
        assertThat(tasks(home)).isEqualTo(2);
        assertThat(tasksOn(home, "cell-member")).isEqualTo(2);
    }

    private static final Rights MAY_EVICT_OWN = new Rights(100, List.of(), true, Rights.Evicts.OWN);

    private static Scheduler<?> withShares() {
        MeghaSchedulerProvider provider = new MeghaSchedulerProvider();
        return provider.create(SchedulerOptions.of(provider.options(), Map.of("shares", "pools")));
    }

    /** A home of four slots, and a cell of as many that is a machine of it. Pool a has a task in each. */
    private static SampleRun fullOfPoolA(SampleCell home, SampleCell member, Scheduler<?> megha) {
        offer(member, home, 4_000);
        home.submit(inPool("greedy", "a", 8));
        SampleRun run = SampleRun.of(megha, home, member).run();
        assertThat(ofPool(home, "a")).isEqualTo(8);
        return run;
    }

    private static JobHeader inPool(String name, String pool, int tasks) {
        JobHeader plain = SampleCell.batch(name, tasks, 1_000, 64);
        return new JobHeader(
                plain.name(),
                plain.type(),
                plain.scheduler(),
                pool,
                plain.priority(),
                plain.atomicity(),
                plain.conflictRule(),
                plain.groups());
    }

    private static int ofPool(SampleCell cell, String pool) {
        int[] tasks = new int[1];
        for (int slot = 0; slot < cell.view().machineSlots(); slot++) {
            cell.view()
                    .forEachTaskOn(
                            slot,
                            task -> tasks[0] += cell.view()
                                            .job(task.id().job())
                                            .filter(job -> job.header().pool().equals(pool))
                                            .isPresent()
                                    ? 1
                                    : 0);
        }
        return tasks[0];
    }

    /** "Only when there is contention": pool b is due half of both cells, and asks for less, as much, and more (IV-C). */
    @ParameterizedTest
    @CsvSource({"3, 3", "4, 4", "6, 4"})
    void userBelowItsShare_takesFromTheOneAboveIt_upToItsShare(int asked, int got) {
        SampleCell home = SampleCell.of(1, 4_000, 8_192);
        home.rights(inPool("any", "a", 1).scheduler(), MAY_EVICT_OWN);
        SampleRun run = fullOfPoolA(home, SampleCell.of(1, 4_000, 8_192), withShares());
        home.submit(inPool("modest", "b", asked));
        run.run();
        assertThat(ofPool(home, "b")).isEqualTo(got);
        assertThat(ofPool(home, "a")).isEqualTo(8 - got);
    }

    @ParameterizedTest
    @CsvSource({"1, 6, 1", "3, 5, 0", "4, 4, 0"})
    void userAboveItsShare_losesItsNewestTasksFirst(int asked, int leftOfOld, int leftOfNew) {
        SampleCell home = SampleCell.of(1, 8_000, 8_192);
        home.rights(inPool("any", "a", 1).scheduler(), MAY_EVICT_OWN);
        SampleRun run = SampleRun.of(withShares(), home);
        home.submit(inPool("old", "a", 6));
        run.run();
        home.submit(inPool("new", "a", 2));
        run.run();
        home.submit(inPool("modest", "b", asked));
        run.run();
        List<String> left = new ArrayList<>();
        home.view().forEachTaskOn(0, task -> left.add(task.text()));
        List<String> expected = new ArrayList<>();
        addTasks("old", leftOfOld, expected);
        addTasks("new", leftOfNew, expected);
        addTasks("modest", asked, expected);
        assertThat(left).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static void addTasks(String job, int count, List<String> tasks) {
        for (int index = 0; index < count; index++) {
            tasks.add(job + "/" + inPool(job, "a", 1).groups().get(0).name() + "/" + index);
        }
    }

    @Test
    void userBelowItsShare_waits_withoutTheOptionOrTheRights() {
        SampleCell home = SampleCell.of(1, 4_000, 8_192);
        SampleRun run = fullOfPoolA(home, SampleCell.of(1, 4_000, 8_192), withShares());
        home.submit(inPool("modest", "b", 4));
        run.run();
        assertThat(ofPool(home, "b")).as("no rights").isZero();

        SampleCell other = SampleCell.of(1, 4_000, 8_192);
        other.rights(inPool("any", "a", 1).scheduler(), MAY_EVICT_OWN);
        SampleRun without = fullOfPoolA(other, SampleCell.of(1, 4_000, 8_192), megha("paper"));
        other.submit(inPool("modest", "b", 4));
        without.run();
        assertThat(ofPool(other, "b")).as("no option").isZero();
    }

    @Test
    void usersWithRoom_areNotHeldToTheirShares() {
        SampleCell home = SampleCell.of(1, 4_000, 8_192);
        home.rights(inPool("any", "a", 1).scheduler(), MAY_EVICT_OWN);
        SampleCell member = SampleCell.of(1, 4_000, 8_192);
        offer(member, home, 4_000);
        home.submit(inPool("greedy", "a", 6));
        home.submit(inPool("modest", "b", 2));
        SampleRun.of(withShares(), home, member).run();
        assertThat(ofPool(home, "a")).isEqualTo(6);
        assertThat(ofPool(home, "b")).isEqualTo(2);
    }

    private static Scheduler<?> withHeartbeats() {
        MeghaSchedulerProvider provider = new MeghaSchedulerProvider();
        return provider.create(SchedulerOptions.of(provider.options(), Map.of("heartbeatSeconds", "30")));
    }

    /** "Heartbeats update the view": what is free in another cell is not seen before the next one. */
    @Test
    void roomInTheMember_isSeenWithTheNextHeartbeat() {
        SampleCell member = SampleCell.of(1, 4_000, 8_192);
        member.fill(SampleCell.batch("local", 4, 1_000, 64));
        SampleCell home = SampleCell.of(1, 1_000, 8_192);
        offer(member, home, 6_000);
        home.submit(SampleCell.batch("web", 3, 1_000, 64));
        SampleRun run = SampleRun.of(withHeartbeats(), home, member);
        long start = home.time().millis();
        run.runUntil(start + 1_000);
        member.machine("late", 2_000, 8_192);
        run.runUntil(start + 29_000);
        assertThat(tasksOn(home, "cell-member")).as("the old view").isZero();
        run.runUntil(start + 32_000);
        assertThat(tasksOn(home, "cell-member")).isEqualTo(2);
    }

    /** "Its answer brings the present state": the answer to one placement shows the machine that came meanwhile. */
    @Test
    void answerToAPlacement_bringsThePresentState() {
        SampleCell member = SampleCell.of(1, 1_000, 8_192);
        SampleCell home = SampleCell.of(0, 0, 0).withTasksThatRun(3_600_000);
        offer(member, home, 6_000);
        home.submit(SampleCell.batch("first", 1, 1_000, 64));
        SampleRun run = SampleRun.of(withHeartbeats(), home, member);
        long start = home.time().millis();
        run.runUntil(start + 1_000);
        member.fill(SampleCell.batch("twin", 1, 1_000, 64));
        member.machine("late", 2_000, 8_192);
        home.submit(SampleCell.batch("second", 2, 1_000, 64));
        run.runUntil(start + 5_000);
        assertThat(tasksOn(home, "cell-member")).isEqualTo(3);
    }

    @Test
    void variantThatIsNone_isRefusedWithThoseThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> megha("best"))
                .withMessage("option variant is one of paper, public, not best");
    }

    private static void offer(SampleCell member, SampleCell home, long cpuMilli) {
        home.machine(
                "cell-member",
                cpuMilli,
                100_000,
                Map.of(
                        "cell",
                        "member",
                        "cell.incarnation",
                        member.view().incarnation().toString()));
    }

    private static void submit(SampleCell cell, int jobs, int tasks) {
        for (int job = 0; job < jobs; job++) {
            cell.submit(SampleCell.batch("j" + job, tasks, 1_000, 64));
        }
    }

    private static int tasks(SampleCell cell) {
        return IntStream.range(0, cell.view().machineSlots())
                .map(cell.view()::tasksOn)
                .sum();
    }

    private static int usedMachines(SampleCell cell) {
        return (int) IntStream.range(0, cell.view().machineSlots())
                .filter(slot -> cell.view().tasksOn(slot) > 0)
                .count();
    }

    private static int tasksOn(SampleCell cell, String machine) {
        return cell.view().tasksOn(cell.view().findMachine(machine).orElseThrow());
    }
}
