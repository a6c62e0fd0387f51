package dev.cella.scheduling.live;

import com.google.protobuf.util.Durations;
import dev.cella.client.job.HealthyTime;
import dev.cella.client.job.TaskContent;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.Update;
import dev.cella.scheduling.placement.Affinity;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.GroupLife;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Placements;
import dev.cella.scheduling.placement.Spread;
import dev.cella.scheduling.placement.TaskInputs;
import dev.cella.scheduling.placement.UpdatePolicy;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.GroupHeader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The jobs' requirements of machines, decoded from their specifications. Any thread may call it, because a planner that was
 * given up may still do so.
 */
public final class SpecifiedPlacements implements Placements {
    private record Said(List<String> groups, Placement placement) {}

    private final ReadOnce<Said> known = new ReadOnce<>(
            job -> new Said(job.getGroupsList().stream().map(Group::getName).toList(), placement(job)));

    /** Updates may leave groups out and name new ones first; a row keeps the places of all that there ever were. */
    @Override
    public Placement of(JobRow job) {
        Said said = known.of(job);
        List<String> places =
                job.header().groups().stream().map(GroupHeader::nameOfCopied).toList();
        return places.equals(said.groups) ? said.placement : inPlaces(said, places);
    }

    private static Placement inPlaces(Said said, List<String> places) {
        List<GroupPlacement> groups = new ArrayList<>();
        List<GroupInputs> inputs = new ArrayList<>();
        List<GroupLife> lives = new ArrayList<>();
        for (String name : places) {
            int place = said.groups.indexOf(name);
            groups.add(place < 0 ? GroupPlacement.ANYWHERE : said.placement.group(place));
            inputs.add(place < 0 ? GroupInputs.NONE : said.placement.inputs(place));
            GroupLife life = place < 0 ? GroupLife.PLAIN : said.placement.life(place);
            lives.add(life.after(life.after().stream()
                    .map(after -> places.indexOf(said.groups.get(after)))
                    .toArray(Integer[]::new)));
        }
        return new Placement(groups, inputs, lives);
    }

    static Placement placement(Job job) {
        List<GroupPlacement> groups =
                job.getGroupsList().stream().map(SpecifiedPlacements::placement).toList();
        List<GroupInputs> inputs =
                job.getGroupsList().stream().map(SpecifiedPlacements::inputs).toList();
        List<GroupLife> lives =
                job.getGroupsList().stream().map(group -> life(group, job)).toList();
        boolean asks = groups.stream().anyMatch(group -> !group.isAnywhere())
                || inputs.stream().anyMatch(group -> !group.isEmpty());
        return new Placement(asks ? groups : List.of(), asks ? inputs : List.of(), lives);
    }

    private static GroupLife life(Group group, Job job) {
        List<String> names = job.getGroupsList().stream().map(Group::getName).toList();
        List<Integer> after = group.getAfterList().stream().map(names::indexOf).toList();
        return new GroupLife(update(group), after, TaskContent.of(group));
    }

    private static UpdatePolicy update(Group group) {
        UpdatePolicy standard = UpdatePolicy.DEFAULT;
        Update update = group.getUpdate();
        return new UpdatePolicy(
                update.hasMaxParallel() ? update.getMaxParallel() : standard.maxParallel(),
                update.hasMinHealthy() ? OptionalInt.of(update.getMinHealthy()) : standard.minHealthy(),
                HealthyTime.of(group).toMillis(),
                HealthyTime.afterCheck(group).toMillis(),
                update.getCanary(),
                update.hasDeadline() ? Durations.toMillis(update.getDeadline()) : standard.deadlineMillis(),
                update.hasRevert() ? update.getRevert() : standard.revert());
    }

    private static GroupInputs inputs(Group group) {
        if (group.getInputsCount() == 0) {
            return GroupInputs.NONE;
        }
        List<TaskInputs> tasks = group.getInputsList().stream()
                .map(input -> new TaskInputs(
                        new LinkedHashSet<>(input.getMachinesList()), new LinkedHashSet<>(input.getRacksList())))
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
