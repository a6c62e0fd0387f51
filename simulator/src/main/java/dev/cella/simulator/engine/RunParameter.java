package dev.cella.simulator.engine;

import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One parameter of a run with all its forms: the flag, the help and the result.
 *
 * @param flag without the two dashes
 * @param value the placeholder in the help, as in {@code NAME}
 * @param field its name in the result
 * @param fallback the default
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
        BiConsumer<RunDraft, String> read,
        Function<RunParameters, Object> shown) {
    /** How often a flag may be given. */
    public enum Times {
        ONCE,
        OFTEN
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
