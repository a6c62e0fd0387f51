package dev.cella.client;

import java.time.Duration;

/** The longest leases that a cell grants. A part checks its own lease before it starts: the cell refuses a longer one. */
public final class LeaseBounds {
    /** A week. An agent for another cell may have a long lease, so that its tasks survive while that cell is away. */
    public static final Duration MACHINE_MAX = Duration.ofDays(7);

    public static final Duration SESSION_MAX = Duration.ofHours(1);

    private LeaseBounds() {}
}
