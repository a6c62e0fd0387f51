package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Plan;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Unplaced.Cause;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Transaction;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The explanations of unplaced tasks are true: they name no more tasks than there are, each machine counts once, a task
 * that it reports as not fitting does not fit, and "never" means never.
 */
final class HonestReasons implements Check {
    private static final Set<Unplaced.Kind> ROOM =
            EnumSet.of(Unplaced.Kind.TOO_SMALL, Unplaced.Kind.LACKS, Unplaced.Kind.NOT_READY);

    @Override
    public String promise() {
        return "says the truth about what it leaves";
    }

    @Override
    public void on(Trial trial) {
        DrivenScheduler<?> driven = trial.drive(trial.drawCell(trial.random()));
        driven.watchedBy(new DrivenScheduler.Witness() {
            @Override
            public void planned(CellView view, Plan<?> plan) {
                Draft afterwards = view.draft();
                plan.proposals().stream().map(Proposal::transaction).forEach(each -> take(each, view, afterwards));
                for (Unplaced left : plan.unplaced()) {
                    fault(left, view, afterwards).ifPresent(what -> {
                        throw driven.failed(what);
                    });
                }
            }
        });
        driven.run();
    }

    /** Ignores an impossible claim, which another check finds. */
    private static void take(Transaction transaction, CellView view, Draft draft) {
        for (int claim = 0; claim < transaction.claims(); claim++) {
            GroupRow group = group(
                    view,
                    transaction.task(claim).job().version(),
                    transaction.task(claim).group());
            boolean holds = transaction.kind(claim).takesRoom();
            if (holds && draft.fits(transaction.machine(claim), group.header().shape())) {
                draft.take(transaction.machine(claim), group.header().shape());
            }
        }
    }

    private static GroupRow group(CellView view, long job, int place) {
        return view.jobs().stream()
                .filter(row -> row.id().version() == job)
                .findFirst()
                .orElseThrow()
                .group(place);
    }

    /** The false part of the explanation, if there is one. */
    private static Optional<String> fault(Unplaced left, CellView view, Draft draft) {
        GroupRow group = group(view, left.job().version(), left.group());
        if (left.tasks() > group.pending()) {
            return Optional.of("it leaves " + left.tasks() + " tasks of a group that has " + group.pending());
        }
        if (!left.asked().equals(group.header().shape())) {
            return Optional.of("it says that a task asks " + left.asked() + ", and it asks "
                    + group.header().shape());
        }
        return faultInCounts(left, Machines.count(view, draft, left.asked()));
    }

    private static Optional<String> faultInCounts(Unplaced left, Machines machines) {
        int counted = left.causes().stream().mapToInt(Cause::machines).sum();
        int lacking = left.causes().stream()
                .filter(cause -> ROOM.contains(cause.kind()))
                .mapToInt(Cause::machines)
                .sum();
        if (counted != machines.all) {
            return Optional.of("its counts add up to " + counted + " machines, and the cell has " + machines.all);
        }
        if (lacking > machines.all - machines.fitting) {
            return Optional.of("it says that a task does not fit " + lacking + " machines, and of " + machines.all
                    + " it fits " + machines.fitting);
        }
        if (left.neverPlaceable() && machines.largeEnough > 0) {
            return Optional.of(
                    "it says that no machine could ever hold a task, and " + machines.largeEnough + " could");
        }
        return Optional.empty();
    }

    /** The machines of a cell, those on which a task fits now, and those on which it would fit if they were empty. */
    private record Machines(int all, int fitting, int largeEnough) {
        static Machines count(CellView view, Draft draft, Amounts asked) {
            int all = 0;
            int fitting = 0;
            int largeEnough = 0;
            for (int slot = 0; slot < view.machineSlots(); slot++) {
                if (view.machineExists(slot)) {
                    all++;
                    fitting += view.isReady(slot) && draft.fits(slot, asked) ? 1 : 0;
                    largeEnough += isLargeEnough(view, slot, asked) ? 1 : 0;
                }
            }
            return new Machines(all, fitting, largeEnough);
        }

        private static boolean isLargeEnough(CellView view, int slot, Amounts asked) {
            for (int dimension = 0; dimension < asked.size(); dimension++) {
                if (asked.at(dimension) > view.capacity(slot, dimension)) {
                    return false;
                }
            }
            return true;
        }
    }
}
