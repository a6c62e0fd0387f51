package dev.cella.cli.simulate;

import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.simulator.engine.RunDraft;
import dev.cella.simulator.engine.RunParameter;
import dev.cella.simulator.engine.RunParameter.Times;
import dev.cella.simulator.engine.RunParameterTable;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.engine.UnknownWordException;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.workload.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Every row of {@link RunParameterTable} as a flag, and the files that a run may read. */
final class RunOptions {
    @Option(
            names = "--workload",
            paramLabel = "FILE",
            description =
                    "a trace in the place of the exponential work: .tr or SWIM; a Google cell state in the place of"
                            + " the prefill; may be given again")
    private List<String> traces = List.of();

    @Option(names = "--plugin", paramLabel = "JAR", description = "a scheduler type of your own; may be given again")
    private List<String> plugins = List.of();

    private final Map<RunParameter, OptionSpec> flags = new LinkedHashMap<>();

    /** Asked by the command that these flags are mixed into. */
    @Spec(Spec.Target.MIXEE)
    void addTo(CommandSpec command) {
        for (RunParameter parameter : RunParameterTable.all()) {
            OptionSpec flag = OptionSpec.builder("--" + parameter.flag())
                    .paramLabel(parameter.value())
                    .description(parameter.description() + " (default: " + parameter.fallback() + ")")
                    .type(parameter.times() == Times.ONCE ? String.class : List.class)
                    .auxiliaryTypes(String.class)
                    .build();
            command.addOption(flag);
            flags.put(parameter, flag);
        }
    }

    List<String> traces() {
        return traces;
    }

    List<String> plugins() {
        return plugins;
    }

    /** What the user said of the run. */
    RunDraft draft() {
        return Impossible.answered(() -> {
            RunDraft draft = new RunDraft();
            flags.forEach((parameter, flag) -> said(flag).forEach(value -> parameter.read(draft, value)));
            return draft;
        });
    }

    private static List<String> said(OptionSpec flag) {
        @Nullable Object value = flag.getValue();
        if (value == null) {
            return List.of();
        }
        return value instanceof List<?> values
                ? values.stream().map(String::valueOf).toList()
                : List.of(value.toString());
    }

    /** The run as said, whose words are all known and whose parameters are all possible. */
    static RunParameters parameters(RunDraft draft, Experiments experiments, List<SchedulerProvider> types) {
        return Impossible.answered(() -> {
            RunParameters parameters = draft.build();
            experiments.architecture(parameters);
            for (Workload workload : Workload.values()) {
                checkKnown(parameters.setUp(workload).schedulers(), types);
            }
            return parameters;
        });
    }

    private static void checkKnown(SchedulerChoice choice, List<SchedulerProvider> types) {
        SchedulerProvider provider = types.stream()
                .filter(each -> each.type().equals(choice.type()))
                .findFirst()
                .orElseThrow(() -> new UnknownWordException(
                        "scheduler type", choice.type(), types.stream().map(SchedulerProvider::type)));
        List<String> options =
                provider.options().stream().map(SchedulerOption::name).toList();
        for (String option : choice.options().keySet()) {
            if (!options.contains(option)) {
                throw new UnknownWordException("option of " + choice.type(), option, options.stream());
            }
        }
    }
}
