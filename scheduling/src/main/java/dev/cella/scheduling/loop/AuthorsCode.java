package dev.cella.scheduling.loop;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Calls code of a scheduler's author. Its faults cost the author's jobs a turn, and never the process. Only what says nothing
 * about that code passes: the JVM has no memory left, or ends.
 */
public final class AuthorsCode {
    private AuthorsCode() {}

    /** Returns the answer of the code, or what its fault means here. */
    public static <T> T call(Supplier<T> code, Function<Throwable, T> onFault) {
        try {
            return code.get();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError fault) {
            return onFault.apply(fault);
        }
    }
}
