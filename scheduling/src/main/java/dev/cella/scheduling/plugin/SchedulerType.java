package dev.cella.scheduling.plugin;

import dev.cella.scheduling.SchedulerProvider;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One scheduler type.
 *
 * @param jar the jar that it comes from, if it is not part of Cella
 */
public record SchedulerType(SchedulerProvider provider, Optional<Path> jar) {
    public String name() {
        return provider.type();
    }
}
