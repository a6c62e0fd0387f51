package dev.cella.transactions.model;

import java.util.List;
import java.util.Optional;

/**
 * A task-resource assignment: this task, as it was in {@code generation} of its job, on this machine or on the first of the
 * alternates that takes it. Machines are named by their slots as of {@link Transaction#machinesAsOf}. {@code amounts} are the
 * amounts that the planner expects the task to ask for; empty means any.
 */
public record Claim(
        TaskId task, int generation, int machine, List<Integer> alternates, Optional<Amounts> amounts, ClaimKind kind) {
    public static final int ALTERNATES_MAX = 16;

    public Claim {
        alternates = List.copyOf(alternates);
        if (generation < 1) {
            throw new IllegalArgumentException("generations are counted from 1, not from " + generation);
        }
        if (alternates.size() > ALTERNATES_MAX) {
            throw new IllegalArgumentException("a claim has at most " + ALTERNATES_MAX + " alternates");
        }
        if (machine < 0 || alternates.stream().anyMatch(alternate -> alternate < 0)) {
            throw new IllegalArgumentException("a machine's slot is not negative");
        }
    }

    /** A claim of kind PLACE. */
    public Claim(TaskId task, int generation, int machine, List<Integer> alternates, Optional<Amounts> amounts) {
        this(task, generation, machine, alternates, amounts, ClaimKind.PLACE);
    }

    public static Claim of(TaskId task, int generation, int machine) {
        return new Claim(task, generation, machine, List.of(), Optional.empty());
    }
}
