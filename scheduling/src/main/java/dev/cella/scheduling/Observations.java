package dev.cella.scheduling;

import dev.cella.transactions.waits.WaitMatrix;
import java.util.Optional;

/**
 * Observed values besides the cell state: soft facts that their owners reported, each with its age. A host supplies them: live
 * from the values that the cell relays, in the simulator from the engine, in a test from a map.
 *
 * <p>They may be missing or old at any time, so a plan must be right without them.
 */
@FunctionalInterface
public interface Observations {
    /** No observations. */
    Observations NONE = (cell, measure, subject) -> Optional.empty();

    /**
     * The newest value, if somebody reported one.
     *
     * @param cell the place of the cell
     * @param subject the measured thing, as {@link Measure} defines it
     */
    Optional<Observed> find(int cell, Measure measure, String subject);

    /** The mean run time of finished tasks of the group, if any has finished. */
    default Optional<Observed> runMillis(JobWork work, int group) {
        String subject =
                work.job().name() + "/" + work.job().groups().get(group).name();
        return find(work.key().cell(), Measure.RUN_MILLIS, subject);
    }

    /**
     * How long a task of each size would wait in the queue of the machine, as its agent estimated it last. The matrix counts
     * from when it was made, in seconds of the plan's time. Live, a scheduler gets it only if it
     * {@linkplain Scheduler#observesWaits says} that it reads it.
     */
    default Optional<WaitMatrix> waits(int cell, String machine) {
        return Optional.empty();
    }

    /** These observations, completed by the others. */
    default Observations or(Observations others) {
        Observations these = this;
        return new Observations() {
            @Override
            public Optional<Observed> find(int cell, Measure measure, String subject) {
                return these.find(cell, measure, subject).or(() -> others.find(cell, measure, subject));
            }

            @Override
            public Optional<WaitMatrix> waits(int cell, String machine) {
                return these.waits(cell, machine).or(() -> others.waits(cell, machine));
            }
        };
    }
}
