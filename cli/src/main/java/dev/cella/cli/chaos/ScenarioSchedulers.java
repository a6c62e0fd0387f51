package dev.cella.cli.chaos;

import dev.cella.chaos.proto.ScenarioFile;
import dev.cella.chaos.proto.SchedulerEntry;
import dev.cella.client.json.Fault;
import dev.cella.client.json.NearestName;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.live.SchedulerByOptions;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the schedulers of a scenario file: their types are known, and so are their options. */
final class ScenarioSchedulers {
    private ScenarioSchedulers() {}

    static List<Fault> faultsIn(ScenarioFile file, SchedulerTypes types) {
        List<Fault> wrong = new ArrayList<>();
        for (int place = 0; place < file.getSchedulersCount(); place++) {
            SchedulerEntry entry = file.getSchedulers(place);
            String path = "schedulers[" + place + "]";
            if (!entry.getType().isEmpty()) {
                wrongType(entry.getType(), types).ifPresent(why -> wrong.add(Fault.of(path + ".type", why)));
                types.find(entry.getType())
                        .ifPresent(provider -> checkOptions(path + ".options", provider, entry, wrong));
            }
        }
        return wrong;
    }

    /** Why there is no scheduler of that type; empty if there is one. */
    static Optional<String> wrongType(String type, SchedulerTypes types) {
        return types.find(type).isPresent()
                ? Optional.empty()
                : Optional.of("there is no scheduler type " + type + meant(type, types.names()));
    }

    private static void checkOptions(String path, SchedulerProvider provider, SchedulerEntry entry, List<Fault> wrong) {
        List<String> known =
                provider.options().stream().map(SchedulerOption::name).toList();
        List<String> unknown = entry.getOptionsMap().keySet().stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .toList();
        unknown.forEach(name -> wrong.add(Fault.of(
                path + "." + name, "scheduler type " + provider.type() + " has no such option" + meant(name, known))));
        if (unknown.isEmpty()) {
            try {
                SchedulerByOptions.of(provider, entry.getOptionsMap());
            } catch (IllegalArgumentException wrongValue) {
                wrong.add(Fault.of(path, String.valueOf(wrongValue.getMessage())));
            }
        }
    }

    private static String meant(String written, List<String> names) {
        return NearestName.to(written, names)
                .map(near -> ", did you mean " + near + "?")
                .orElse(names.isEmpty() ? "" : "; there are " + String.join(", ", names));
    }
}
