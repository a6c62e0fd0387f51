package dev.cella.transactions.model;

/** The rules for names that people choose. */
public final class Labels {
    private static final int NAME_LENGTH_MAX = 63;
    private static final int MACHINE_NAME_LENGTH_MAX = 253;
    private static final int POOL_LENGTH_MAX = 253;

    /**
     * The rules as a regular expression, for messages. The check does not use it, because it runs for several names of every
     * job.
     */
    private static final String NAME = "[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?";

    private static final String MACHINE_NAME = "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";
    private static final String POOL = NAME + "(/" + NAME + ")*";

    /** The name of a job, group or scheduler. */
    public static void checkName(String what, String name) {
        check(isName(name, 0, name.length(), NAME_LENGTH_MAX), what, name, NAME);
    }

    static void checkMachineName(String name) {
        check(isName(name, 0, name.length(), MACHINE_NAME_LENGTH_MAX), "machine name", name, MACHINE_NAME);
    }

    /** A pool is a path of names. */
    public static void checkPool(String path) {
        check(isPath(path), "pool", path, POOL);
        if (path.length() > POOL_LENGTH_MAX) {
            throw new IllegalArgumentException("a pool's path has at most " + POOL_LENGTH_MAX + " characters");
        }
    }

    /** Returns whether the pool is {@code root} or one below it. */
    public static boolean isPoolWithin(String pool, String root) {
        return pool.equals(root) || pool.startsWith(root + "/");
    }

    private static boolean isPath(String path) {
        int from = 0;
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', from)) {
            if (!isName(path, from, slash, NAME_LENGTH_MAX)) {
                return false;
            }
            from = slash + 1;
        }
        return isName(path, from, path.length(), NAME_LENGTH_MAX);
    }

    /** Letters and digits, with dots and hyphens between them. */
    private static boolean isName(String text, int from, int to, int lengthMax) {
        if (from == to || to - from > lengthMax || !isAlphanumeric(text.charAt(from))) {
            return false;
        }
        for (int place = from + 1; place < to; place++) {
            char each = text.charAt(place);
            boolean inside = place < to - 1 && (each == '.' || each == '-');
            if (!inside && !isAlphanumeric(each)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlphanumeric(char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9');
    }

    private static void check(boolean matches, String what, String name, String pattern) {
        if (!matches) {
            throw new IllegalArgumentException(what + " '" + name + "' does not match " + pattern);
        }
    }

    private Labels() {}
}
