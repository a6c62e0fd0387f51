package dev.cella.cli;

import dev.cella.cli.terminal.Terminal;
import java.util.Properties;

/** The entry point of the process. */
public final class Main {
    static final String COMMON_POOL = "java.util.concurrent.ForkJoinPool.common.parallelism";

    private static final int WORKERS_MIN = 2;

    private Main() {}

    public static void main(String[] arguments) {
        leaveOutAtStart(System.getProperties());
        useCommonPool(System.getProperties(), Runtime.getRuntime().availableProcessors());
        System.exit(new CellaCommand(Terminal.ofThisProcess()).run(arguments));
    }

    /**
     * Leaves out two things that libraries do at the start of a process and that nobody reads: Netty registers events for the
     * flight recorder, and Armeria opens all jars to compare the versions of Netty's.
     */
    static void leaveOutAtStart(Properties properties) {
        properties.putIfAbsent("io.netty.jfr.enabled", "false");
        properties.putIfAbsent("com.linecorp.armeria.warnNettyVersions", "false");
    }

    /**
     * With fewer than two workers in the common pool, {@code CompletableFuture} starts a thread for each task that names no
     * executor, and the JVM makes one worker less than it has processors. Ratis makes one such task for each entry on a
     * follower (ADR 87). This must be set before the pool is first used.
     */
    static void useCommonPool(Properties properties, int processors) {
        if (processors <= WORKERS_MIN) {
            properties.putIfAbsent(COMMON_POOL, String.valueOf(WORKERS_MIN));
        }
    }
}
