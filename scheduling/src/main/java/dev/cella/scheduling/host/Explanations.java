package dev.cella.scheduling.host;

/** How much a plan says about tasks that it left, as its host chooses. */
public enum Explanations {
    /** Counts the machines by what keeps a task off each, which costs time for every machine of the cell. */
    WITH_MACHINES,

    /** Says only what no machine is the reason for. Nobody reads more, as in the simulator. */
    WITHOUT_MACHINES
}
