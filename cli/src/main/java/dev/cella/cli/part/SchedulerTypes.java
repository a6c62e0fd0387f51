package dev.cella.cli.part;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.scheduling.SchedulerProvider;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The types of scheduler on the class path, each by the one provider of its jar. */
public final class SchedulerTypes {
    private final Map<String, SchedulerProvider> providers = new TreeMap<>();

    private SchedulerTypes() {
        for (SchedulerProvider provider : ServiceLoader.load(SchedulerProvider.class)) {
            providers.put(provider.type(), provider);
        }
    }

    public static SchedulerTypes found() {
        return new SchedulerTypes();
    }

    public Iterable<SchedulerProvider> all() {
        return providers.values();
    }

    public SchedulerProvider find(String type) {
        SchedulerProvider provider = providers.get(type);
        if (provider == null) {
            throw CommandFailure.usage(
                    "there is no scheduler of type " + type, "the types are " + String.join(", ", providers.keySet()));
        }
        return provider;
    }
}
