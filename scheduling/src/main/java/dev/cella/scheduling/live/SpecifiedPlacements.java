package dev.cella.scheduling.live;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.scheduling.placement.Affinity;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Placements;
import dev.cella.scheduling.placement.Spread;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.model.JobId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What jobs ask of machines, out of their specifications: bytes to the cell, which travel with the row of the job. Each
 * generation of a job is read once while it is among the newest.
 *
 * <p>Owned by the thread of its scheduler.
 */
final class SpecifiedPlacements implements Placements {
    private static final int KEPT_MAX = 10_000;

    private record Known(int generation, Placement placement) {}

    private final Map<JobId, Known> known = new LinkedHashMap<>();

    @Override
    public Placement of(JobRow job) {
        Known found = known.get(job.id());
        if (found == null || found.generation != job.generation()) {
            found = new Known(job.generation(), read(job));
            keep(job.id(), found);
        }
        return found.placement;
    }

    private void keep(JobId job, Known placement) {
        known.put(job, placement);
        if (known.size() > KEPT_MAX) {
            known.remove(known.keySet().iterator().next());
        }
    }

    private static Placement read(JobRow job) {
        try {
            return placement(Job.parseFrom(job.specification().bytes()));
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the specification of job " + job.name() + " is no job", damaged);
        }
    }

    static Placement placement(Job job) {
        List<GroupPlacement> groups =
                job.getGroupsList().stream().map(SpecifiedPlacements::placement).toList();
        boolean asks = groups.stream().anyMatch(group -> !group.isAnywhere());
        return asks ? new Placement(groups) : Placement.ANYWHERE;
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
