package dev.cella.scheduling;

import dev.cella.scheduling.Unplaced.Cause;
import dev.cella.scheduling.Unplaced.Kind;
import dev.cella.scheduling.Unplaced.Roomiest;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.model.Amounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the machines of a cell by what keeps a task of one shape off each. */
final class Explanation {
    private record CauseKey(Kind kind, String detail) {}

    private static final class Count {
        int machines;
        String example = "";
    }

    private final PlanningView cell;
    private final CellView view;
    private final PendingGroup group;
    private final Amounts asked;
    private final Map<CauseKey, Count> counts = new LinkedHashMap<>();
    private int machines;
    private int hopeless;
    private final NearestMachines nearest = new NearestMachines();

    Explanation(PlanningView cell, PendingGroup group) {
        this.cell = cell;
        this.view = cell.view();
        this.group = group;
        this.asked = group.shape();
    }

    Unplaced explain(GroupRow row, Exclusion exclusion) {
        if (group.isAtRunningMax()) {
            return atRunningMax(row);
        }
        for (int machine = 0; machine < view.machineSlots(); machine++) {
            if (view.machineExists(machine)) {
                count(machine, exclusion);
            }
        }
        return new Unplaced(
                        row.job().id(),
                        row.place(),
                        group.left(),
                        asked,
                        causes(),
                        roomiest(),
                        machines > 0 && hopeless == machines)
                .helpedBy(new Help(cell, group).onMachines(nearest.inOrder()));
    }

    /** The same without a look at the machines. */
    Unplaced withoutMachines(GroupRow row) {
        return group.isAtRunningMax()
                ? atRunningMax(row)
                : new Unplaced(row.job().id(), row.place(), group.left(), asked, List.of(), Optional.empty(), false);
    }

    /** No machine is the reason, so none is inspected. */
    private Unplaced atRunningMax(GroupRow row) {
        Cause cause = new Cause(Kind.RUNNING_MAX, Integer.toString(row.header().runningMax()), 0, "");
        return new Unplaced(row.job().id(), row.place(), group.left(), asked, List.of(cause), Optional.empty(), false);
    }

    private void count(int machine, Exclusion exclusion) {
        if (!cell.isWithin(machine)) {
            count(machine, new CauseKey(Kind.EXCLUDED, cell.outside()));
            return;
        }
        Optional<Constraint> unmet = group.firstUnmet(machine);
        if (view.isReady(machine) && unmet.isEmpty()) {
            compareRoom(machine);
        }
        CauseKey cause = unmet.map(constraint -> new CauseKey(Kind.EXCLUDED, constraint.text()))
                .orElseGet(() -> cause(machine, exclusion));
        count(machine, cause);
        hopeless += unmet.isPresent() || cause.kind == Kind.TOO_SMALL ? 1 : 0;
    }

    private void count(int machine, CauseKey cause) {
        Count count = counts.computeIfAbsent(cause, key -> new Count());
        if (count.machines++ == 0) {
            count.example = view.machineName(machine);
        }
        machines++;
    }

    /** The cause for a machine that meets the constraints. Causes that waiting cannot change come first. */
    private CauseKey cause(int machine, Exclusion exclusion) {
        for (int dimension = 0; dimension < asked.size(); dimension++) {
            if (asked.at(dimension) > view.capacity(machine, dimension)) {
                return new CauseKey(Kind.TOO_SMALL, view.dimensions().nameAt(dimension));
            }
        }
        if (!view.isReady(machine)) {
            return new CauseKey(Kind.NOT_READY, view.status(machine).name());
        }
        int lacking = cell.firstLacking(machine, asked);
        return lacking >= 0
                ? heldFor(machine)
                        .orElseGet(
                                () -> new CauseKey(Kind.LACKS, view.dimensions().nameAt(lacking)))
                : new CauseKey(
                        Kind.EXCLUDED,
                        group.whyApart(machine)
                                .or(() -> exclusion.excludes(machine))
                                .orElse("its scheduler"));
    }

    /** The owner of the missing room, if the task would fit there without the holds of others. */
    private Optional<CauseKey> heldFor(int machine) {
        List<HoldRow> there = view.holdsOn(machine);
        if (there.isEmpty()) {
            return Optional.empty();
        }
        List<HoldRow> others = there.stream()
                .filter(hold -> !hold.got().isNone() && !isOwn(hold))
                .toList();
        if (others.isEmpty()) {
            return Optional.empty();
        }
        long[] without = new long[asked.size()];
        Arrays.setAll(
                without,
                dimension -> Math.max(
                        0,
                        asked.at(dimension)
                                - others.stream()
                                        .mapToLong(hold -> hold.got().at(dimension))
                                        .sum()));
        return cell.firstLacking(machine, Amounts.of(without)) < 0
                ? Optional.of(new CauseKey(Kind.HELD, owner(others.get(0))))
                : Optional.empty();
    }

    private boolean isOwn(HoldRow hold) {
        return hold.job().filter(job -> job.id().equals(group.job())).isPresent()
                || (hold.isOffer() && hold.scheduler().equals(cell.scheduler()));
    }

    private static String owner(HoldRow hold) {
        return hold.job().map(job -> "job " + job.name()).orElseGet(() -> "an offer to scheduler " + hold.scheduler());
    }

    /** The fraction of the request that the machine has, in its scarcest dimension. */
    private void compareRoom(int machine) {
        long permille = Long.MAX_VALUE;
        for (int dimension = 0; dimension < asked.size(); dimension++) {
            if (asked.at(dimension) > 0) {
                permille = Math.min(permille, 1_000 * cell.free(machine, dimension) / asked.at(dimension));
            }
        }
        nearest.add(machine, permille);
    }

    private List<Cause> causes() {
        List<Cause> causes = new ArrayList<>();
        counts.forEach((key, count) -> causes.add(new Cause(key.kind, key.detail, count.machines, count.example)));
        causes.sort((a, b) -> Integer.compare(b.machines(), a.machines()));
        return causes;
    }

    private Optional<Roomiest> roomiest() {
        return nearest.inOrder().stream().findFirst().map(machine -> {
            long[] free = new long[view.dimensions().size()];
            Arrays.setAll(free, dimension -> Math.max(0, cell.free(machine, dimension)));
            return new Roomiest(view.machineName(machine), Amounts.of(free));
        });
    }
}
