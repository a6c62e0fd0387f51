package dev.cella.simulator.engine;

import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One parameter of a run, everywhere it shows: as a flag, in the help and in the result.
 *
 * @param flag without the two dashes
 * @param value stands for what is said, as in {@code NAME}
 * @param field its name in the result
 * @param fallback what it is when nothing is said
 * @param read takes what is said into a draft
 * @param shown what it is in a run; an empty map is not shown
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

    /** Takes what is said into the draft. */
    public void read(RunDraft draft, String said) {
        try {
            read.accept(draft, said);
        } catch (NumberFormatException notOne) {
            throw new ImpossibleParameterException(
                    "--" + flag + " takes a number, not '" + said + "'", "--" + flag + " " + fallback);
        }
    }
}
