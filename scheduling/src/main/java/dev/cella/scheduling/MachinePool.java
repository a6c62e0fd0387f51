package dev.cella.scheduling;

/** Machines that are alike in what a job wishes, one after another as long as they take tasks of one group. */
interface MachinePool {
    int EMPTY = -1;

    /** A machine that takes the next task, or {@link #EMPTY} when none does: then none will, until the plan ends. */
    int next();
}
