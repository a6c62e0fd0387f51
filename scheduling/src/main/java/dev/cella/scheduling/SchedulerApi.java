package dev.cella.scheduling;

/**
 * The version of the API that a scheduler's jar is built against: this package and {@code transactions}. It grows when
 * something in them is removed or changes its meaning, not when something is added.
 *
 * <p>A jar states its version in its manifest, which can be read before a class of the jar fails to link.
 */
public final class SchedulerApi {
    public static final int VERSION = 1;
    public static final String MANIFEST_ENTRY = "Cella-Scheduler-Api";

    private SchedulerApi() {}
}
