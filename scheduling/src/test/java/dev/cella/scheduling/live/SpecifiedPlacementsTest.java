package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.job.JobRules;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.Job;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.placement.Affinity;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Spread;
import dev.cella.scheduling.placement.TaskInputs;
import dev.cella.scheduling.placement.UpdatePolicy;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The planner gets what a person wrote. */
class SpecifiedPlacementsTest {
    @Test
    void everyField_isRead() {
        Placement placement = read("""
                name: a
                type: batch
                groups:
                  - resources: {cpuMilli: 1, memoryMib: 1}
                    run: {command: [x]}
                    constraints:
                      - {attribute: nic, operator: in, values: [ib, roce]}
                      - {attribute: cores, operator: gt, value: 15}
                      - {attribute: gpu, operator: absent}
                    affinities: [{attribute: disk, operator: ne, value: hdd, weight: -20}]
                    spread: [{attribute: rack, targets: {r1: 60}}]
                    distinct: {attribute: machine}
                    together: {attribute: zone}
                """);

        assertThat(placement.group(0))
                .isEqualTo(new GroupPlacement(
                        List.of(
                                Constraint.of("nic", Operator.IN, "ib", "roce"),
                                Constraint.of("cores", Operator.GT, "15"),
                                Constraint.of("gpu", Operator.ABSENT)),
                        List.of(new Affinity(Constraint.of("disk", Operator.NE, "hdd"), -20)),
                        List.of(Spread.of("rack", Map.of("r1", 60))),
                        Optional.of(new Distinct("machine", 1)),
                        Optional.of("zone")));
    }

    @Test
    void inputs_areReadForEachTaskOrForAll() {
        assertThat(read("""
                name: a
                type: batch
                groups:
                  - resources: {cpuMilli: 1, memoryMib: 1}
                    run: {command: [x]}
                    inputs: {machines: [m1], racks: [r1]}
                    locality: {waitMachine: 5s, waitRack: 10s}
                  - name: two
                    count: 2
                    resources: {cpuMilli: 1, memoryMib: 1}
                    run: {command: [x]}
                    inputs: [{machines: [m1]}, {machines: [m2]}]
                """).inputs())
                .containsExactly(
                        new GroupInputs(List.of(new TaskInputs(Set.of("m1"), Set.of("r1"))), 5_000, 10_000),
                        new GroupInputs(
                                List.of(new TaskInputs(Set.of("m1"), Set.of()), new TaskInputs(Set.of("m2"), Set.of())),
                                0,
                                0));
    }

    @Test
    void jobThatAsksNothing_isAnywhere() {
        Placement read = read("""
                name: a
                type: batch
                groups: [{resources: {cpuMilli: 1, memoryMib: 1}, run: {command: [x]}}]
                """);
        assertThat(read.groups()).isEmpty();
        assertThat(read.inputs()).isEmpty();
        assertThat(read.life(0).update()).isEqualTo(UpdatePolicy.DEFAULT);
    }

    @Test
    void update_ofTasksWithACheck_waitsUntilTheCheckCouldHaveEndedThem() {
        Placement read = read("""
                name: a
                type: service
                groups:
                  - resources: {cpuMilli: 1, memoryMib: 1}
                    run: {command: [x]}
                    check: {command: [y], every: 10s, timeout: 2s, failuresMax: 3}
                """);
        assertThat(read.life(0).update().healthyAfterMillis()).isEqualTo(37_000);
    }

    @Test
    void update_thatDropsAGroup_leavesTheOthersWhatTheyAsk() {
        Cell cell = new Cell(CellLimits.STANDARD);
        apply(cell, new Command.FoundCell(new CellName("a"), new Incarnation(1)));
        submit(cell, "name: one", "name: two");
        String asks = "name: two, constraints: [{attribute: gpu, operator: exists}]";
        submit(cell, asks, "name: three, after: [two]");

        Placement placement = new SpecifiedPlacements().of(cell.view().job("a").orElseThrow());

        assertThat(placement.group(0)).isEqualTo(GroupPlacement.ANYWHERE);
        assertThat(placement.group(1).constraints()).containsExactly(Constraint.of("gpu", Operator.EXISTS));
        assertThat(placement.life(2).after()).containsExactly(1);
    }

    private static void submit(Cell cell, String... groups) {
        List<String> said = Stream.of(groups)
                .map(group -> "{" + group + ", resources: {cpuMilli: 1, memoryMib: 1}, run: {command: [x]}}")
                .toList();
        Job job = job("name: a\ntype: batch\ngroups: [" + String.join(", ", said) + "]\n");
        List<GroupHeader> headers = job.getGroupsList().stream()
                .map(group -> new GroupHeader(group.getName(), 1, Amounts.of(1, 1), Restart.BATCH))
                .toList();
        apply(
                cell,
                new Command.SubmitJob(
                        SampleCell.batch("a", 1, 1, 1).withGroups(headers),
                        Specification.of(job.toByteArray()),
                        Command.SubmitMode.CREATE_OR_UPDATE));
    }

    private static void apply(Cell cell, Command command) {
        CellTime now = new CellTime(1);
        assertThat(cell.apply(new EntryHeader(1, now, 1, new Incarnation(1)), command))
                .isInstanceOf(CommandResult.Done.class);
    }

    private static Placement read(String yaml) {
        return SpecifiedPlacements.placement(job(yaml));
    }

    private static Job job(String yaml) {
        Job job = new JsonCodec().read(Job.getDefaultInstance(), Source.yaml(yaml));
        assertThat(JobRules.check(job)).isEmpty();
        return JobRules.complete(job);
    }
}
