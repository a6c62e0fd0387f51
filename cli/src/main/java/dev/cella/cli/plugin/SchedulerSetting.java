package dev.cella.cli.plugin;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.job.Names;
import dev.cella.client.json.NearestName;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.live.SchedulerByOptions;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A scheduler type with the user's options. A fault in either is reported.
 *
 * @param name the name that jobs call the scheduler by
 */
public record SchedulerSetting(String name, SchedulerProvider provider, Map<String, String> set) {
    private static final String LIST = "cella scheduler types";

    public SchedulerSetting {
        set = Map.copyOf(set);
        List<String> known =
                provider.options().stream().map(SchedulerOption::name).toList();
        for (String option : set.keySet()) {
            if (!known.contains(option)) {
                throw CommandFailure.usage(
                        "scheduler type " + provider.type() + " has no option " + option, nearest(option, known));
            }
        }
    }

    /** A scheduler of that type, which must be among the available ones, and called as its type. */
    public static SchedulerSetting of(SchedulerTypes types, String type, Map<String, String> set) {
        return of(types, type, type, set);
    }

    private static SchedulerSetting of(SchedulerTypes types, String name, String type, Map<String, String> set) {
        SchedulerProvider provider = types.find(type)
                .orElseThrow(() -> CommandFailure.usage(
                        "there is no scheduler of type " + type,
                        NearestName.to(type, types.names())
                                .map(near -> "did you mean " + near + "?")
                                .orElse("the types are " + String.join(", ", types.names())
                                        + "; --plugin JAR adds one")));
        return new SchedulerSetting(name, provider, set);
    }

    /**
     * One scheduler of each type, called as its type, and further ones, each written TYPE:NAME. An option names its scheduler
     * first, as in {@code mine:cores}.
     */
    public static List<SchedulerSetting> ofAll(
            SchedulerTypes types, List<String> more, Map<String, String> schedulerOptions) {
        Map<String, String> typeByName = new TreeMap<>();
        types.names().forEach(type -> typeByName.put(type, type));
        more.forEach(each -> add(each, typeByName));
        Map<String, Map<String, String>> setByName = new TreeMap<>();
        schedulerOptions.forEach((option, value) -> {
            int colon = option.indexOf(':');
            String name = colon < 0 ? "" : option.substring(0, colon);
            if (!typeByName.containsKey(name)) {
                throw unknown(option + "=" + value, name, typeByName.keySet());
            }
            setByName.computeIfAbsent(name, scheduler -> new TreeMap<>()).put(option.substring(colon + 1), value);
        });
        return typeByName.entrySet().stream()
                .map(each -> of(types, each.getKey(), each.getValue(), setByName.getOrDefault(each.getKey(), Map.of())))
                .toList();
    }

    private static void add(String typeAndName, Map<String, String> typeByName) {
        String type = typeAndName.split(":", 2)[0];
        String name = typeAndName.substring(typeAndName.indexOf(':') + 1);
        Names.refuse(name).ifPresent(why -> {
            throw CommandFailure.usage("--scheduler " + typeAndName + ": the name " + why, "write TYPE:NAME");
        });
        String before = typeByName.putIfAbsent(name, type);
        if (before != null && !before.equals(type)) {
            throw CommandFailure.usage(
                    "--scheduler " + typeAndName + ": there is a scheduler " + name + " of type " + before,
                    "choose another name");
        }
    }

    private static CommandFailure unknown(String option, String name, Set<String> names) {
        return name.isEmpty()
                ? CommandFailure.usage(
                        "--option " + option + " names no scheduler",
                        "write --option SCHEDULER:" + option + "; the schedulers are " + String.join(", ", names))
                : CommandFailure.usage(
                        "--option " + option + ": there is no scheduler " + name,
                        NearestName.to(name, names)
                                .map(near -> "did you mean " + near + "?")
                                .orElse("the schedulers are " + String.join(", ", names)));
    }

    private static String nearest(String name, List<String> known) {
        return NearestName.to(name, known)
                .map(near -> "did you mean " + near + "? " + LIST + " shows them")
                .orElse(known.isEmpty() ? "it has none" : "it has " + String.join(", ", known));
    }

    /** The scheduler with these options; its jobs may override them. */
    public Scheduler<?> create() {
        try {
            return SchedulerByOptions.of(provider, set);
        } catch (IllegalArgumentException wrongValue) {
            throw CommandFailure.usage(
                    "scheduler type " + provider.type() + ": " + wrongValue.getMessage(),
                    LIST + " shows what can be set");
        }
    }
}
