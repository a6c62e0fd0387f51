package dev.cella.chaos.processes;

/** A process that signals can break: a part of a run, or a process of a cell that runs already. Faults may overlap on it. */
interface Breakable {
    String name();

    boolean isAlive();

    /** Kills it. It stays down until that fault lets it start again. */
    void keepDown(ProcessFault by);

    /** Starts it again if it has ended and no other fault keeps it down. */
    void startAgain(ProcessFault by);

    boolean isPaused();

    void pause(ProcessFault by);

    /** It continues if no other fault has paused it. */
    void resume(ProcessFault by);
}
