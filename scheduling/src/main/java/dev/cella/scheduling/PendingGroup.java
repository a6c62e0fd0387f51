package dev.cella.scheduling;

import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.Domains;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Musts;
import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.GroupHeader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one group that a plan has to place, one after another. Tasks that are in flight, or that this plan has
 * claimed, are no longer among them, nor are those that {@code runningMax} keeps back. Belongs to one plan and its thread.
 *
 * <p>{@link #candidates} are the machines for them, with the group's placement taken in. A planner that looks at machines
 * by itself asks {@link #takes}.
 */
public final class PendingGroup {
    private static final int NO_TASK = -1;

    private final PlanningView cell;
    private final GroupRow row;
    private final GroupPlacement placement;
    private final Musts musts;
    private @Nullable Domains domains;
    private @Nullable Whereabouts whereabouts;
    private @Nullable Map<Integer, Integer> tasksByMachine;
    private int mayRun;
    private int offered = Candidates.NONE;
    private int next;

    PendingGroup(PlanningView cell, GroupRow row, GroupPlacement placement) {
        this.cell = cell;
        this.row = row;
        this.placement = placement;
        this.musts = new Musts(placement.constraints());
        if (placement.looksAtOthers()) {
            lookAtOthers();
        }
        int runningMax = header().runningMax();
        this.mayRun = runningMax == 0 ? Integer.MAX_VALUE : runningMax - cell.onMachines(row);
        this.next = cell.waitsForGang(row) ? NO_TASK : find(0);
    }

    private void lookAtOthers() {
        domains = cell.domains(placement);
        Whereabouts known = new Whereabouts(placement, domains);
        cell.forEachMachineOf(row, known::add);
        whereabouts = known;
    }

    public GroupHeader header() {
        return row.header();
    }

    /** What each of its tasks asks. */
    public Amounts shape() {
        return row.header().shape();
    }

    /** Where its tasks may go, and would rather go. */
    public GroupPlacement placement() {
        return placement;
    }

    // ---- its tasks

    public boolean hasNext() {
        return next != NO_TASK && mayRun > 0;
    }

    /** Its place in the job's list of groups. */
    int place() {
        return row.place();
    }

    /** The index of the next task to place. */
    public int next() {
        if (!hasNext()) {
            throw new IllegalStateException("group " + row.header().name() + " has no more tasks to place");
        }
        return next;
    }

    /** How many tasks are left to place, those included that {@code runningMax} keeps back. */
    public int left() {
        return cell.pending(row);
    }

    /** Claims the machine, which {@link #takes} it, for the next task. */
    public void claimNext(int machine) {
        if (machine != offered) {
            checkTakes(machine);
        }
        cell.claim(row, next(), machine);
        if (whereabouts != null) {
            whereabouts.add(machine);
        }
        if (tasksByMachine != null) {
            tasksByMachine.merge(machine, 1, Integer::sum);
        }
        mayRun--;
        next = find(next + 1);
    }

    /** What a planner found by itself may break a must, which the commit would not notice. */
    private void checkTakes(int machine) {
        Optional<String> excluded =
                whyApart(machine).or(() -> firstUnmet(machine).map(Constraint::text));
        if (excluded.isPresent()) {
            throw new IllegalStateException("the planner claims " + cell.view().machineName(machine)
                    + ", which is excluded by " + excluded.get());
        }
    }

    private int find(int from) {
        return cell.nextPending(row, from);
    }

    /** How many tasks of the group are on the machine, those in flight and those that this plan has claimed included. */
    public int tasksOn(int machine) {
        if (tasksByMachine == null) {
            Map<Integer, Integer> counted = new HashMap<>();
            cell.forEachMachineOf(row, each -> counted.merge(each, 1, Integer::sum));
            tasksByMachine = counted;
        }
        return tasksByMachine.getOrDefault(machine, 0);
    }

    // ---- machines for them

    /** The machines for the next tasks, in the order in which the group wants them; {@code choice} is among equals. */
    public Candidates candidates(Choice choice, SplittableRandom random) {
        Drawing drawing = new Drawing(cell, shape(), choice, this::hasRoom, random);
        return new Candidates(drawing, cell.avoidedBy(row), this::pool, machine -> offered = machine);
    }

    /** Claims candidates for its tasks as long as there are both. */
    public void place(Choice choice, SplittableRandom random) {
        Candidates candidates = candidates(choice, random);
        int machine = hasNext() ? candidates.next() : Candidates.NONE;
        while (machine != Candidates.NONE) {
            claimNext(machine);
            machine = hasNext() ? candidates.next() : Candidates.NONE;
        }
    }

    private MachinePool pool(Drawing drawing) {
        MachinePool wished = wishedPool(drawing);
        return cell.machinesHeld().length == 0 ? wished : new HeldFirst(cell, drawing, wished);
    }

    private MachinePool wishedPool(Drawing drawing) {
        if (placement.isAnywhere()) {
            return drawing.pool(null);
        }
        Domains classes = domains == null ? cell.domains(placement) : domains;
        Whereabouts known = whereabouts == null ? new Whereabouts(placement, classes) : whereabouts;
        if (placement.together().isPresent() && known.together() == Domains.NO_VALUE) {
            TogetherChoice choice = new TogetherChoice(cell, shape(), classes, known, drawing.takes());
            known.choose(choice.choose(left(), drawing.random()));
        }
        int tasks = header().runningMax() == 0 ? header().count() : Math.min(header().count(), header().runningMax());
        Worth worth = new Worth(classes, known, tasks, placement.spreads().size());
        return new WishedMachines(drawing, classes, worth, place -> !known.isApart(classes.machines(place)[0]));
    }

    /** Whether the machine has room for the next task, and the group's placement lets it go there. */
    public boolean takes(int machine) {
        return hasRoom(machine) && firstUnmet(machine).isEmpty();
    }

    /** The same for a machine of which it is known that it meets the constraints. */
    private boolean hasRoom(int machine) {
        return cell.fits(machine, shape()) && !isApart(machine);
    }

    private boolean isApart(int machine) {
        return whereabouts != null && (whereabouts.distinctRoom(machine) < 1 || whereabouts.isApart(machine));
    }

    // ---- why not

    /** The first constraint that keeps every task of the group off the machine, whatever is free there. */
    Optional<Constraint> firstUnmet(int machine) {
        return musts.firstUnmet(cell.view(), machine);
    }

    /** What keeps the next task off the machine because of where the others are, as the job says it. */
    Optional<String> whyApart(int machine) {
        if (whereabouts == null || !isApart(machine)) {
            return Optional.empty();
        }
        return whereabouts.distinctRoom(machine) < 1
                ? placement.distinct().map(Distinct::text)
                : placement.together().map(attribute -> "together " + attribute);
    }

    /** How many tasks have to be placed at once before the gang may start; 0 where it has, or where that is under way. */
    int gangLacks() {
        return cell.waitsForGang(row) ? 0 : cell.needs(row);
    }

    /** Takes back what the plan claimed for a gang, if that is not enough of it to start, and says so. */
    Optional<Unplaced> undoPartOfGang() {
        int claims = cell.claimsOf(row);
        int needs = cell.needs(row);
        if (claims == 0 || claims >= needs) {
            return Optional.empty();
        }
        cell.undo(row);
        Optional<String> why =
                Optional.of("a gang that needs " + needs + " at once, of which " + claims + " have room");
        return Optional.of(explain(machine -> why));
    }

    /** Whether tasks are left only because {@code runningMax} of the group are on machines. */
    boolean isAtRunningMax() {
        return mayRun <= 0;
    }

    /** Why the tasks that are left were not placed, as the machines have it. */
    public Unplaced explain() {
        return explain(Exclusion.NONE);
    }

    /** The same for a planner whose policy keeps tasks off machines on which they would fit. */
    public Unplaced explain(Exclusion exclusion) {
        return cell.explain(this, row, exclusion);
    }
}
