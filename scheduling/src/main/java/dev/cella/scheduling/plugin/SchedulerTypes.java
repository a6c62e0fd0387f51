package dev.cella.scheduling.plugin;

import dev.cella.scheduling.SchedulerProvider;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/** The available scheduler types: those of Cella, and those of the named jars. Immutable. */
public final class SchedulerTypes {
    private final SortedMap<String, SchedulerType> types;

    private SchedulerTypes(Map<String, SchedulerType> types) {
        this.types = Collections.unmodifiableSortedMap(new TreeMap<>(types));
    }

    /** The types of Cella. */
    public static SchedulerTypes installed() {
        return with(List.of());
    }

    /**
     * The types of Cella and of the jars.
     *
     * @throws PluginRefusedException if one of the jars is no plug-in
     */
    public static SchedulerTypes with(List<Path> jars) {
        Map<String, SchedulerType> types = new TreeMap<>();
        for (SchedulerProvider provider : ServiceLoader.load(SchedulerProvider.class)) {
            types.put(provider.type(), new SchedulerType(provider, Optional.empty()));
        }
        for (Path jar : jars) {
            for (SchedulerProvider provider : new PluginJar(jar).load()) {
                SchedulerType added = new SchedulerType(provider, Optional.of(jar));
                SchedulerType known = types.putIfAbsent(added.name(), added);
                if (known != null) {
                    throw taken(added, known);
                }
            }
        }
        return new SchedulerTypes(types);
    }

    private static PluginRefusedException taken(SchedulerType added, SchedulerType known) {
        return new PluginRefusedException(
                added.jar().orElseThrow() + " offers the type " + added.name() + ", which "
                        + known.jar().map(jar -> jar + " offers too").orElse("comes with Cella"),
                "have type() answer another name in one of them");
    }

    /** All of them, by name. */
    public List<SchedulerType> all() {
        return List.copyOf(types.values());
    }

    public List<SchedulerProvider> providers() {
        return types.values().stream().map(SchedulerType::provider).toList();
    }

    public List<String> names() {
        return List.copyOf(types.keySet());
    }

    public Optional<SchedulerProvider> find(String name) {
        return Optional.ofNullable(types.get(name)).map(SchedulerType::provider);
    }
}
