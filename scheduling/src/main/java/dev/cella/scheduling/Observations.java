package dev.cella.scheduling;

import java.util.Optional;

/**
 * What was observed, beside the cell state: soft facts that their owners reported, each with its age. A host supplies them:
 * the live one from what the cell relays, the simulated one from its engine, a test from a map.
 *
 * <p>They may be missing or old at any time, so a plan must be right without them.
 */
@FunctionalInterface
public interface Observations {
    /** Nothing was observed. */
    Observations NONE = (cell, measure, subject) -> Optional.empty();

    /**
     * The newest value, if somebody reported one.
     *
     * @param cell the place of the cell
     * @param subject what was measured, as {@link Measure} says it
     */
    Optional<Observed> find(int cell, Measure measure, String subject);

    /** How long finished tasks of the group ran in the mean, if any has finished. */
    default Optional<Observed> runMillis(JobWork work, int group) {
        String subject =
                work.job().name() + "/" + work.job().groups().get(group).name();
        return find(work.key().cell(), Measure.RUN_MILLIS, subject);
    }

    /** These, and where they know nothing, the others. */
    default Observations or(Observations others) {
        return (cell, measure, subject) -> find(cell, measure, subject).or(() -> others.find(cell, measure, subject));
    }
}
