package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.job.JobRules;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.Job;
import dev.cella.scheduling.placement.Affinity;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Spread;
import dev.cella.scheduling.placement.TaskInputs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
        assertThat(read("""
                name: a
                type: batch
                groups: [{resources: {cpuMilli: 1, memoryMib: 1}, run: {command: [x]}}]
                """)).isSameAs(Placement.ANYWHERE);
    }

    private static Placement read(String yaml) {
        Job job = new JsonCodec().read(Job.getDefaultInstance(), Source.yaml(yaml));
        assertThat(JobRules.check(job)).isEmpty();
        return SpecifiedPlacements.placement(JobRules.complete(job));
    }
}
