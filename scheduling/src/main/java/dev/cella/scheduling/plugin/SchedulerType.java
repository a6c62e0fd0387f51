package dev.cella.scheduling.plugin;

import dev.cella.scheduling.SchedulerProvider;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One type of scheduler.
 *
 * @param jar where it comes from, if not from Cella itself
 */
public record SchedulerType(SchedulerProvider provider, Optional<Path> jar) {
    public String name() {
        return provider.type();
    }
}
