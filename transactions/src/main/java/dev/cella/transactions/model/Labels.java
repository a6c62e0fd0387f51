package dev.cella.transactions.model;

import java.util.regex.Pattern;

/** The rules for names that people choose. */
public final class Labels {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");
    private static final Pattern MACHINE_NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final Pattern POOL = Pattern.compile(NAME + "(/" + NAME + ")*");
    private static final int POOL_LENGTH_MAX = 253;

    /** The name of a job, group or scheduler. */
    public static void checkName(String what, String name) {
        check(NAME, what, name);
    }

    static void checkMachineName(String name) {
        check(MACHINE_NAME, "machine name", name);
    }

    /** A pool is a path of names. */
    static void checkPool(String path) {
        check(POOL, "pool", path);
        if (path.length() > POOL_LENGTH_MAX) {
            throw new IllegalArgumentException("a pool's path has at most " + POOL_LENGTH_MAX + " characters");
        }
    }

    private static void check(Pattern pattern, String what, String name) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " '" + name + "' does not match " + pattern);
        }
    }

    private Labels() {}
}
