package dev.cella.scheduling.live;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.scheduling.placement.Affinity;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Placements;
import dev.cella.scheduling.placement.Spread;
import dev.cella.scheduling.placement.TaskInputs;
import dev.cella.transactions.cell.JobRow;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The jobs' requirements of machines, decoded from their specifications. Any thread may call it, because a planner that was
 * given up may still do so.
 */
final class SpecifiedPlacements implements Placements {
    private final ReadOnce<Placement> known = new ReadOnce<>(SpecifiedPlacements::placement);

    @Override
    public Placement of(JobRow job) {
        return known.of(job);
    }

    static Placement placement(Job job) {
        List<GroupPlacement> groups =
                job.getGroupsList().stream().map(SpecifiedPlacements::placement).toList();
        List<GroupInputs> inputs =
                job.getGroupsList().stream().map(SpecifiedPlacements::inputs).toList();
        boolean asks = groups.stream().anyMatch(group -> !group.isAnywhere())
                || inputs.stream().anyMatch(group -> !group.isEmpty());
        return asks ? new Placement(groups, inputs) : Placement.ANYWHERE;
    }

    private static GroupInputs inputs(Group group) {
        if (group.getInputsCount() == 0) {
            return GroupInputs.NONE;
        }
        List<TaskInputs> tasks = group.getInputsList().stream()
                .map(input -> new TaskInputs(Set.copyOf(input.getMachinesList()), Set.copyOf(input.getRacksList())))
                .toList();
        return new GroupInputs(
                tasks,
                Durations.toMillis(group.getLocality().getWaitMachine()),
                Durations.toMillis(group.getLocality().getWaitRack()));
    }

    private static GroupPlacement placement(Group group) {
        return new GroupPlacement(
                group.getConstraintsList().stream()
                        .map(SpecifiedPlacements::constraint)
                        .toList(),
                group.getAffinitiesList().stream()
                        .map(SpecifiedPlacements::affinity)
                        .toList(),
                group.getSpreadList().stream()
                        .map(spread -> Spread.of(spread.getAttribute(), spread.getTargetsMap()))
                        .toList(),
                group.hasDistinct()
                        ? Optional.of(new Distinct(
                                group.getDistinct().getAttribute(),
                                group.getDistinct().getMax()))
                        : Optional.empty(),
                group.hasTogether() ? Optional.of(group.getTogether().getAttribute()) : Optional.empty());
    }

    private static Constraint constraint(dev.cella.client.proto.Constraint constraint) {
        return constraint(
                constraint.getAttribute(),
                constraint.getOperator(),
                constraint.hasValue() ? List.of(constraint.getValue()) : constraint.getValuesList());
    }

    private static Affinity affinity(dev.cella.client.proto.Affinity affinity) {
        Constraint wish = constraint(
                affinity.getAttribute(),
                affinity.getOperator(),
                affinity.hasValue() ? List.of(affinity.getValue()) : affinity.getValuesList());
        return new Affinity(wish, affinity.getWeight());
    }

    private static Constraint constraint(String attribute, String operator, List<String> values) {
        Operator known = Operator.ofWord(operator)
                .orElseThrow(() -> new IllegalArgumentException("no such operator: " + operator));
        return new Constraint(attribute, known, values);
    }
}
