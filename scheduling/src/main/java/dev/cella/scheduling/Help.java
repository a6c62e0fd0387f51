package dev.cella.scheduling;

import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.Amounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds small changes that let one more task of a group be placed: more room on a machine, an eviction, more quota. It checks
 * each change with the rule that refuses the task, and names only changes that the rule accepts.
 */
final class Help {
    private final PlanningView cell;
    private final PendingGroup group;
    private final Amounts asked;

    Help(PlanningView cell, PendingGroup group) {
        this.cell = cell;
        this.group = group;
        this.asked = group.shape();
    }

    /** The changes on {@code machines}, which come nearest to holding a task, the nearest first. */
    List<String> onMachines(List<Integer> machines) {
        List<Integer> lacking = machines.stream()
                .filter(machine -> group.mayGo(machine) && !cell.fits(machine, asked))
                .toList();
        List<String> helps = new ArrayList<>();
        lacking.stream().flatMap(machine -> room(machine).stream()).findFirst().ifPresent(helps::add);
        Preemption.wouldHelp(group, cell, lacking).ifPresent(helps::add);
        return helps;
    }

    private Optional<String> room(int machine) {
        long[] lacking = lacking(machine);
        Amounts rest = less(lacking);
        return hasEveryNamed(rest) && cell.fits(machine, rest.naming(asked.members()))
                ? Optional.of(text(lacking) + " more on " + cell.view().machineName(machine))
                : Optional.empty();
    }

    /** Returns whether the amounts are as many as the members that the task names. More of a set gives it no certain member. */
    private boolean hasEveryNamed(Amounts rest) {
        for (int dimension = 0; dimension < asked.size(); dimension++) {
            if (asked.members().at(dimension).size() > rest.at(dimension)) {
                return false;
            }
        }
        return true;
    }

    private long[] lacking(int machine) {
        long[] lacking = new long[asked.size()];
        Arrays.setAll(
                lacking, dimension -> Math.max(0, asked.at(dimension) - Math.max(0, cell.free(machine, dimension))));
        return lacking;
    }

    /** The task's amounts without the lacking part. They fit the machine if the whole task fits it with that part added. */
    private Amounts less(long[] lacking) {
        long[] less = new long[asked.size()];
        Arrays.setAll(less, dimension -> Math.max(0, asked.at(dimension) - lacking[dimension]));
        return Amounts.of(less);
    }

    private String text(long[] lacking) {
        List<String> text = new ArrayList<>();
        for (int dimension = 0; dimension < lacking.length; dimension++) {
            if (lacking[dimension] > 0) {
                text.add(lacking[dimension] + " " + cell.view().dimensions().nameAt(dimension));
            }
        }
        return String.join(" and ", text);
    }

    /** More quota in each of these pools that is in the way helps, if a machine has room. */
    List<String> inPools(List<PoolRow> limited, Drafting drafting) {
        List<String> text = new ArrayList<>();
        for (PoolRow pool : limited) {
            for (int dimension = 0; dimension < asked.size(); dimension++) {
                OverQuota over = drafting.overQuota(List.of(pool), only(dimension), Amounts.NONE);
                if (over != null) {
                    text.add(over.lacks() + " " + over.dimension() + " more quota in pool " + pool.path());
                }
            }
        }
        return !text.isEmpty() && hasRoom() ? List.of(String.join(" and ", text)) : List.of();
    }

    /** What the next task asks for of the dimension; the rest of a gang is placed with it. */
    private Amounts only(int dimension) {
        long[] only = new long[asked.size()];
        int tasks = group.neededNext();
        only[dimension] = tasks * Math.min(Amounts.AMOUNT_MAX / tasks, asked.at(dimension));
        return Amounts.of(only);
    }

    private boolean hasRoom() {
        for (int machine = 0; machine < cell.machines(); machine++) {
            if (cell.isReady(machine) && group.takes(machine)) {
                return true;
            }
        }
        return false;
    }
}
