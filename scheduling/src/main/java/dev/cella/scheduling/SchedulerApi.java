package dev.cella.scheduling;

/**
 * The version of what a scheduler's jar is built against: this package and {@code transactions}. It grows when something
 * in them is removed or means something else, not when something is added.
 *
 * <p>A jar says the version it was built against in its manifest, because a manifest can be read before a class of the
 * jar is loaded that does not link any more.
 */
public final class SchedulerApi {
    public static final int VERSION = 1;
    public static final String MANIFEST_ENTRY = "Cella-Scheduler-Api";

    private SchedulerApi() {}
}
