package dev.cella.transactions.model;

/** The checks that are always on. A broken invariant stops the process. */
public final class Invariants {
    /** The state contradicts itself: there is a defect in the program, or bytes changed unnoticed. */
    public static final class BrokenInvariantException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        BrokenInvariantException(String message) {
            super(message);
        }
    }

    public static void checkInvariant(boolean holds, String what) {
        if (!holds) {
            throw new BrokenInvariantException(what);
        }
    }

    /** For the hot path: builds the message only when it is needed. */
    public static void checkInvariant(boolean holds, String what, long first) {
        if (!holds) {
            throw new BrokenInvariantException(String.format(what, first));
        }
    }

    public static void checkInvariant(boolean holds, String what, long first, long second) {
        if (!holds) {
            throw new BrokenInvariantException(String.format(what, first, second));
        }
    }

    public static void checkInvariant(boolean holds, String what, long first, long second, long third) {
        if (!holds) {
            throw new BrokenInvariantException(String.format(what, first, second, third));
        }
    }

    private Invariants() {}
}
