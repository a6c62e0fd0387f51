package dev.cella.simulator.engine;

import dev.cella.scheduling.loop.RetryOrder;
import java.util.Optional;

/**
 * The retries of a job that was not placed completely.
 *
 * @param order if it is not the default of {@link RunParameters#retryOrder}
 */
public record Retry(Optional<RetryOrder> order, AttemptLimits limits) {
    public static final Retry DEFAULT = new Retry(Optional.empty(), AttemptLimits.DEFAULT);
}
