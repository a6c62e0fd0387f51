package dev.cella.scheduling;

/** Machines that are equal in the job's wishes, one after another, as long as they take tasks of one group. */
interface MachinePool {
    int EMPTY = -1;

    /** A machine that takes the next task, or {@link #EMPTY} if none does. Then none will until the plan ends. */
    int next();
}
