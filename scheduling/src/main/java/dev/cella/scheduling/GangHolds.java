package dev.cella.scheduling;

import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Gang;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Handles the gangs of a job that found no room: after {@code holdAfter} machines are held for them.
 *
 * <h2>Why</h2>
 *
 * <p>Retrying starves a gang in a full cell: smaller tasks take each amount that is freed. A hold keeps freed amounts, machine
 * by machine, until there is room for the whole gang. Two gangs that each need more than half of the cell do not block each
 * other. A hold is requested only where the gang would have room once all batch tasks there have ended and every older hold
 * has got what it wants, and on a machine the older hold is served first. A gang that starts partly on other machines leaves
 * nothing held: the cell ends the holds of a job without pending tasks (feature level 10).
 *
 * <h2>Which machines</h2>
 *
 * <p>Those with the most free amounts now, each for as many tasks as it can take, so that few machines are kept from others.
 * The job's constraints and {@code together} apply as everywhere. Amounts that services hold are never counted on. Nothing more
 * is held for a job whose options are refused, and for a gang that a policy keeps back.
 *
 * <p>Belongs to one plan and its thread.
 */
final class GangHolds {
    private static final long EXPIRES_AFTER_MILLIS = 3_600_000;
    private static final long LOOK_AGAIN_MILLIS_MIN = 1_000;

    /** Machines that are held stand idle until the gang is planned again after the last of them is free. */
    private static final long LOOK_AGAIN_MILLIS_MAX = 60_000;

    private static final int LOOK_AGAIN_SHARE = 8;

    private final JobWork job;
    private final PlanningView cell;
    private final CellTime now;
    private final boolean refused;
    private final Set<Integer> keptBack;
    private final Score emptiestNow;

    /** @param left what the plan leaves of the job */
    GangHolds(JobWork job, PlanningView cell, CellTime now, List<Unplaced> left) {
        this.job = job;
        this.cell = cell;
        this.now = now;
        this.refused = left.stream().anyMatch(Unplaced::isRefused);
        this.keptBack =
                left.stream().filter(Unplaced::isPolicy).map(Unplaced::group).collect(Collectors.toSet());
        Score emptiest = new WorstFit();
        this.emptiestNow = (later, machine, shape) -> emptiest.of(cell, machine, shape);
    }

    /** When to plan the job again because of its gangs; empty if none of them waits for machines that may be held. */
    Optional<Wake> wake() {
        return holdAfterMillis().map(after -> new Wake.At(job.key(), nextLook(after)));
    }

    /** A time, not room: a hold takes what a machine gains, so nobody finds more free amounts than before. */
    private CellTime nextLook(long afterMillis) {
        CellTime due = job.since().plusMillis(afterMillis);
        if (due.compareTo(now) > 0) {
            return due;
        }
        long share = (now.millis() - job.since().millis()) / LOOK_AGAIN_SHARE;
        return now.plusMillis(Math.min(LOOK_AGAIN_MILLIS_MAX, Math.max(LOOK_AGAIN_MILLIS_MIN, share)));
    }

    /** Returns whether a gang has waited long enough that machines must be held for it. */
    private boolean isDue() {
        return holdAfterMillis()
                .filter(after -> job.since().plusMillis(after).compareTo(now) <= 0)
                .isPresent();
    }

    private Optional<Long> holdAfterMillis() {
        if (refused || !job.job().hasGangs() || !cell.mayHold()) {
            return Optional.empty();
        }
        return waiting(cell).stream()
                .flatMap(group -> group.header().gang().stream())
                .map(Gang::holdAfterMillis)
                .min(Long::compare);
    }

    private List<PendingGroup> waiting(PlanningView view) {
        return view.pendingGroups(job.id()).stream()
                .filter(group -> group.gangLacks() > 0 && !keptBack.contains(group.place()))
                .toList();
    }

    /**
     * Drafts holds for what the job's gangs lack beyond existing holds. It drafts none before the time, while requested holds
     * are undecided, if the scheduler may hold nothing, or if the cell could not grant them all.
     */
    void draft(SplittableRandom random) {
        if (isDue() && !cell.asksHolds(job.id())) {
            wanted(random).forEach((machine, amounts) -> cell.hold(job.id(), machine, amounts, EXPIRES_AFTER_MILLIS));
        }
    }

    private Map<Integer, Amounts> wanted(SplittableRandom random) {
        PlanningView later = cell.onceBatchHasEnded();
        Map<Integer, Amounts> held = held();
        Map<Integer, Amounts> wanted = new TreeMap<>();
        for (PendingGroup group : waiting(later)) {
            int lacks = group.gangLacks() - covered(held, group.shape(), group.gangLacks());
            if (place(group, lacks, random, wanted) < lacks) {
                return Map.of();
            }
        }
        return wanted.size() <= cell.claimsMax() ? wanted : Map.of();
    }

    /** The amounts that holds of the job want by machine, whether they have got them or not. */
    private Map<Integer, Amounts> held() {
        Map<Integer, Amounts> held = new TreeMap<>();
        for (HoldRow hold : cell.view().job(job.id()).map(cell.view()::holdsOf).orElse(List.of())) {
            held.merge(hold.slot(), hold.wanted(), Amounts::plus);
        }
        return held;
    }

    /** How many tasks, at most {@code most}, fit into what is held. Takes their amounts from the map. */
    private static int covered(Map<Integer, Amounts> held, Amounts shape, int most) {
        int covered = 0;
        for (Map.Entry<Integer, Amounts> machine : held.entrySet()) {
            while (covered < most && shape.min(machine.getValue()).equals(shape)) {
                machine.setValue(machine.getValue().minus(shape));
                covered++;
            }
        }
        return covered;
    }

    /** Finds machines for {@code tasks} tasks of the group. Returns for how many tasks it found machines. */
    private int place(PendingGroup group, int tasks, SplittableRandom random, Map<Integer, Amounts> wanted) {
        Candidates candidates = group.candidates(Choice.best(emptiestNow), random);
        int placed = 0;
        while (placed < tasks && group.hasNext()) {
            int machine = candidates.next();
            if (machine == Candidates.NONE) {
                return placed;
            }
            group.claimNext(machine);
            wanted.merge(machine, group.shape(), Amounts::plus);
            placed++;
        }
        return placed;
    }
}
