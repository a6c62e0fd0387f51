package dev.cella.simulator.replicated;

import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Operator;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.Rights;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The machines of each scheduler in a partitioned cell: consecutive ones, named by an attribute of the machines. In a shared
 * cell no scheduler has machines of its own.
 */
final class StaticParts {
    static final StaticParts SHARED = new StaticParts();
    private static final String ATTRIBUTE = "part";

    /** The first machine after the part, by the scheduler that has it, in the order of the machines. */
    private final Map<String, Integer> ends = new LinkedHashMap<>();

    private StaticParts() {}

    /** Throws if a part is too small for the schedulers that share it. */
    static void check(RunParameters parameters) {
        StaticParts unused = of(parameters);
    }

    /** Each workload's part is divided evenly among its schedulers. */
    static StaticParts of(RunParameters parameters) {
        StaticParts parts = new StaticParts();
        int machines = parameters.geometry().machines();
        int batch = (int) Math.round(parameters.batchPart() * machines);
        parts.divide(parameters, Workload.BATCH, 0, batch);
        parts.divide(parameters, Workload.SERVICE, batch, machines);
        return parts;
    }

    private void divide(RunParameters parameters, Workload workload, int from, int to) {
        int count = parameters.setUp(workload).schedulers().count();
        boolean isEmpty = to - from < count;
        if (isEmpty && parameters.setUp(workload).means().jobsPerSecond() > 0) {
            throw new ImpossibleParameterException(
                    "a part of " + (to - from) + " machines is too small for " + count + " " + workload.word()
                            + " scheduler" + (count == 1 ? "" : "s"),
                    "--partition batch=0.5, or more --machines");
        }
        for (int number = 1; number <= count; number++) {
            int end = from + (int) ((long) (to - from) * number / count);
            ends.put(ReplicatedCell.name(workload, number, count), end);
        }
    }

    /** The attribute that names the machine's owner. */
    Map<String, String> attributes(int machine) {
        for (Map.Entry<String, Integer> part : ends.entrySet()) {
            if (machine < part.getValue()) {
                return Map.of(ATTRIBUTE, part.getKey());
            }
        }
        return Map.of();
    }

    /** The machines that the scheduler may use. */
    List<Constraint> within(String scheduler) {
        return ends.containsKey(scheduler) ? List.of(Constraint.of(ATTRIBUTE, Operator.EQ, scheduler)) : List.of();
    }

    /** The other limits that the commit enforces. */
    Optional<Rights> rights(String scheduler) {
        return ends.containsKey(scheduler)
                ? Optional.of(new Rights(
                        Rights.UNSET.priorityMax(),
                        List.of(),
                        true,
                        Rights.Evicts.LOWER,
                        List.of(new MachineRule(ATTRIBUTE, MachineRule.Operator.EQ, List.of(scheduler))),
                        true))
                : Optional.empty();
    }
}
