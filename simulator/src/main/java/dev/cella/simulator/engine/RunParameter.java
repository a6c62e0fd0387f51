package dev.cella.simulator.engine;

import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One parameter of a run with all its forms: the flag, the help and the result.
 *
 * @param flag without the two dashes
 * @param value the placeholder in the help, as in {@code NAME}
 * @param field its name in the result
 * @param fallback the default
 * @param architectures those that use it; empty: all
 * @param read puts a given value into a draft
 * @param shown its value in a run; an empty map is not shown
 */
public record RunParameter(
        String flag,
        String value,
        String field,
        String fallback,
        String description,
        Times times,
        Set<String> architectures,
        BiConsumer<RunDraft, String> read,
        Function<RunParameters, Object> shown) {
    public RunParameter {
        architectures = Set.copyOf(architectures);
    }

    /** How often a flag may be given. */
    public enum Times {
        ONCE,
        OFTEN
    }

    /** Returns whether it says something to one of these architectures. */
    public boolean isUsedBy(Collection<String> names) {
        return architectures.isEmpty() || !Collections.disjoint(architectures, names);
    }

    /** Puts a given value into the draft. */
    public void read(RunDraft draft, String said) {
        try {
            read.accept(draft, said);
        } catch (NumberFormatException notOne) {
            throw new ImpossibleParameterException(
                    "--" + flag + " takes a number, not '" + said + "'", "--" + flag + " " + fallback);
        }
    }
}
