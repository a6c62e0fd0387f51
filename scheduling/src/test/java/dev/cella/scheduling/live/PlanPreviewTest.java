package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.Gang;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.GroupPlan;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.MachineStatus;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Unplaced;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A preview sees every dimension that machines have and jobs ask for. */
class PlanPreviewTest {
    private static final JobPlanner FIRST_FIT = (work, cell, random) -> {
        List<Unplaced> unplaced = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            while (group.hasNext() && firstFit(cell, group) >= 0) {
                group.claimNext(firstFit(cell, group));
            }
            if (group.hasNext()) {
                unplaced.add(group.explain());
            }
        }
        return unplaced;
    };

    private static int firstFit(PlanningView cell, PendingGroup group) {
        for (int machine = 0; machine < cell.machines(); machine++) {
            if (cell.fits(machine, group.shape())) {
                return machine;
            }
        }
        return -1;
    }

    @Test
    void plan_whenDiskIsLacking_placesNothingAndNamesTheDisk() {
        Machine machine =
                machine(Map.of("diskMib", 1_000L), Map.of("diskMib", 100L)).build();

        GroupPlan plan = plan(machine, Map.of("diskMib", 500L));

        assertThat(plan.getPlaced()).isZero();
        assertThat(plan.getReason()).isEqualTo("1 machine lacks diskMib");
        assertThat(plan.getNeverPlaceable()).isFalse();
    }

    @Test
    void plan_ofADimensionThatNoMachineHas_isNeverPlaceable() {
        GroupPlan plan = plan(machine(Map.of(), Map.of()).build(), Map.of("gpu", 1L));

        assertThat(plan.getReason()).isEqualTo("1 machine is too small in gpu");
        assertThat(plan.getNeverPlaceable()).isTrue();
    }

    @Test
    void plan_ofAFurtherDimension_placesAsManyAsThereIsRoomFor() {
        GroupPlan plan = plan(machine(Map.of("gpu", 4L), Map.of("gpu", 1L)).build(), Map.of("gpu", 1L));

        assertThat(plan.getPlaced()).isEqualTo(1);
        assertThat(plan.getReason()).isEqualTo("1 machine lacks gpu");
    }

    @Test
    void plan_ofADimensionThatIsASet_countsTheMembersThatAreFree() {
        Machine machine = machine(Map.of("port", 3L), Map.of("port", 1L))
                .putMembers("port", "8000-8002")
                .putFreeMembers("port", "8001")
                .build();

        GroupPlan plan = plan(machine, Map.of("port", 1L));

        assertThat(plan.getPlaced()).isEqualTo(1);
        assertThat(plan.getReason()).isEqualTo("1 machine lacks port");
    }

    /** A scheduler may ask for holds for the gang at once. */
    @Test
    void plan_ofAGangThatLacksRoomNow_placesNothing() {
        Machine machine = machine(Map.of(), Map.of("cpuMilli", 1_000L)).build();
        Job job = job(Map.of("cpuMilli", 1_000L)).toBuilder()
                .setGroups(
                        0,
                        group(Map.of("cpuMilli", 1_000L))
                                .setGang(Gang.newBuilder().setMin(2)))
                .build();

        GroupPlan plan = plan(List.of(machine), job, FIRST_FIT);

        assertThat(plan.getPlaced()).isZero();
        assertThat(plan.getReason()).contains("a gang that needs 2 at once");
    }

    @Test
    void plan_thatQueuesATaskOnTwoMachines_countsItOnce() {
        Machine machine = machine(Map.of(), Map.of()).build();
        JobPlanner queues = (work, cell, random) -> {
            for (PendingGroup group : cell.pendingGroups(work.id())) {
                while (group.hasNext()) {
                    group.queueNext(List.of(0, 1));
                }
            }
            return List.of();
        };

        GroupPlan plan =
                plan(List.of(machine, machine.toBuilder().setName("m-2").build()), job(Map.of()), queues);

        assertThat(plan.getPlaced()).isEqualTo(2);
        assertThat(plan.getMachinesMap()).containsOnly(Map.entry("m-1", 2L));
    }

    private static Machine.Builder machine(Map<String, Long> capacity, Map<String, Long> free) {
        return Machine.newBuilder()
                .setName("m-1")
                .setStatus(MachineStatus.MACHINE_STATUS_READY)
                .putCapacity("cpuMilli", 4_000)
                .putCapacity("memoryMib", 4_000)
                .putAllCapacity(capacity)
                .putFree("cpuMilli", 4_000)
                .putFree("memoryMib", 4_000)
                .putAllFree(free);
    }

    private static GroupPlan plan(Machine machine, Map<String, Long> asked) {
        return plan(List.of(machine), job(asked), FIRST_FIT);
    }

    private static GroupPlan plan(List<Machine> machines, Job job, JobPlanner planner) {
        return PlanPreview.plan(machines, job, Map.of(), planner.scheduler(), 1).getGroups(0);
    }

    private static Job job(Map<String, Long> asked) {
        return Job.newBuilder()
                .setName("asks")
                .setScheduler("batch")
                .addGroups(group(asked))
                .build();
    }

    private static Group.Builder group(Map<String, Long> asked) {
        return Group.newBuilder()
                .setName("main")
                .setCount(2)
                .putResources("cpuMilli", 100)
                .putAllResources(asked);
    }
}
