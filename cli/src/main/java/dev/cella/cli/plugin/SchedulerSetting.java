package dev.cella.cli.plugin;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.json.NearestName;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.live.SchedulerByOptions;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A scheduler type with the user's options. A fault in either is reported. */
public record SchedulerSetting(SchedulerProvider provider, Map<String, String> set) {
    private static final String LIST = "cella scheduler types";

    public SchedulerSetting {
        set = Map.copyOf(set);
        List<String> known =
                provider.options().stream().map(SchedulerOption::name).toList();
        for (String name : set.keySet()) {
            if (!known.contains(name)) {
                throw CommandFailure.usage(
                        "scheduler type " + provider.type() + " has no option " + name, nearest(name, known));
            }
        }
    }

    /** The type of that name among the available ones. */
    public static SchedulerSetting of(SchedulerTypes types, String type, Map<String, String> set) {
        SchedulerProvider provider = types.find(type)
                .orElseThrow(() -> CommandFailure.usage(
                        "there is no scheduler of type " + type,
                        NearestName.to(type, types.names())
                                .map(name -> "did you mean " + name + "?")
                                .orElse("the types are " + String.join(", ", types.names())
                                        + "; --plugin JAR adds one")));
        return new SchedulerSetting(provider, set);
    }

    /** One scheduler of each type. An option names its type first, as in {@code mine:cores}. */
    public static List<SchedulerSetting> ofAll(SchedulerTypes types, Map<String, String> typeOptions) {
        Map<String, Map<String, String>> setByType = new TreeMap<>();
        types.names().forEach(type -> setByType.put(type, new TreeMap<>()));
        typeOptions.forEach((option, value) -> {
            int colon = option.indexOf(':');
            if (colon < 0) {
                throw CommandFailure.usage(
                        "--option " + option + "=" + value + " names no type",
                        "write --option TYPE:" + option + "=" + value + "; the types are "
                                + String.join(", ", types.names()));
            }
            setByType
                    .computeIfAbsent(option.substring(0, colon), type -> new TreeMap<>())
                    .put(option.substring(colon + 1), value);
        });
        return setByType.entrySet().stream()
                .map(each -> of(types, each.getKey(), each.getValue()))
                .toList();
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
