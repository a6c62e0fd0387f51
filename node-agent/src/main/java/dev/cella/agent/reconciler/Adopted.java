package dev.cella.agent.reconciler;

import java.util.Optional;

/**
 * An attempt that an earlier agent started.
 *
 * @param ranMillis the time since its start
 * @param end its end, if none of its processes is left
 */
public record Adopted(Launch launch, long ranMillis, Optional<TaskEnd> end) {}
