package dev.cella.transactions.model;

/** How a claim uses its machine. */
public enum ClaimKind {
    /** The task is placed on the machine and holds its amounts. */
    PLACE,
    /** The task waits in the machine's queue and holds nothing. Used from feature level 5 on. */
    QUEUE,
    /**
     * The task leaves the machine's queue and is placed there, as by a PLACE claim of its scheduler. The machine's agent
     * makes such claims. Used from feature level 5 on.
     */
    START,
    /**
     * The task is placed in what the machine's other work leaves, counted in a column of its own, and ends first when other
     * work needs the room. Accepted from feature level 7 on, NOT_ALLOWED below it.
     */
    SPARE;

    /** Returns whether an accepted claim takes amounts that were free. */
    public boolean takesRoom() {
        return this == PLACE || this == START;
    }

    /** Returns whether replicas know it only from feature level 5 on. */
    public boolean isOfLevel5() {
        return this != PLACE;
    }
}
