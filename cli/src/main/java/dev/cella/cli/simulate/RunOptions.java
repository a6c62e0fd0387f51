package dev.cella.cli.simulate;

import dev.cella.cli.plugin.SchedulerSetting;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.engine.RunDraft;
import dev.cella.simulator.engine.RunParameter;
import dev.cella.simulator.engine.RunParameter.Times;
import dev.cella.simulator.engine.RunParameterTable;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.files.TraceFile;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.UnreadableTraceException;
import dev.cella.simulator.workload.Workload;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Every row of {@link RunParameterTable} as a flag, and the files that a run may read. */
final class RunOptions {
    private static final String SLOTS = "slots-per-machine";

    /** The sizes of a task that follow from its slot. */
    private static final Set<String> SIZES = Set.of("task-cores", "task-memory-gib");

    @Option(
            names = "--workload",
            paramLabel = "FILE",
            description =
                    "a trace in the place of the exponential work: .tr or SWIM; a Google cell state in the place of"
                            + " the prefill; may be given again")
    private List<String> traces = List.of();

    private final List<RunParameter> parameters;
    private final Map<RunParameter, OptionSpec> flags = new LinkedHashMap<>();

    /** What the command takes in the place of a fallback, by the names of flags. */
    private final Map<String, String> otherFallbacks;

    private RunOptions(List<RunParameter> parameters, Map<String, String> otherFallbacks) {
        this.parameters = parameters;
        this.otherFallbacks = Map.copyOf(otherFallbacks);
    }

    static RunOptions ofOneRun() {
        return new RunOptions(RunParameterTable.all(), Map.of());
    }

    /** Without the name of one architecture. */
    static RunOptions ofEveryArchitecture() {
        return new RunOptions(
                RunParameterTable.all().stream()
                        .filter(parameter -> !parameter.flag().equals(RunParameterTable.ARCHITECTURE))
                        .toList(),
                Map.of("days", "1, with a trace as long as it takes"));
    }

    /** Called by the command that includes these flags. */
    @Spec(Spec.Target.MIXEE)
    void addTo(CommandSpec command) {
        for (RunParameter parameter : parameters) {
            OptionSpec flag = OptionSpec.builder("--" + parameter.flag())
                    .paramLabel(parameter.value())
                    .description(parameter.description() + " (default: "
                            + otherFallbacks.getOrDefault(parameter.flag(), parameter.fallback()) + ")")
                    .type(parameter.times() == Times.ONCE ? String.class : List.class)
                    .auxiliaryTypes(String.class)
                    .build();
            command.addOption(flag);
            flags.put(parameter, flag);
        }
    }

    /** Says which of the given flags say nothing to these architectures, and which are replaced by another one. */
    void sayWithoutEffect(Terminal terminal, List<String> architectures) {
        List<String> unused = given(parameter -> !parameter.isUsedBy(architectures));
        if (!unused.isEmpty()) {
            String who = architectures.size() == 1
                    ? "the architecture " + architectures.get(0) + " does"
                    : "the architectures do";
            terminal.say(who + " not use " + String.join(", ", unused));
        }
        if (!given(parameter -> parameter.flag().equals(SLOTS)).isEmpty()) {
            given(parameter -> SIZES.contains(parameter.flag()))
                    .forEach(size -> terminal.say(size + " has no effect beside --" + SLOTS));
        }
    }

    private List<String> given(Predicate<RunParameter> which) {
        return parameters.stream()
                .filter(which)
                .filter(parameter ->
                        !said(Objects.requireNonNull(flags.get(parameter))).isEmpty())
                .map(parameter -> "--" + parameter.flag())
                .toList();
    }

    List<String> traces() {
        return traces;
    }

    /** The traces, or why one cannot be read. */
    List<Trace> readTraces(Terminal terminal) {
        List<Trace> read = new ArrayList<>();
        for (String file : traces) {
            try {
                read.add(TraceFile.read(terminal.environment().path(file)));
            } catch (UnreadableTraceException unreadable) {
                throw CommandFailure.failed(
                        file + ", " + unreadable.getMessage(), "the formats are described in docs/simulator.md");
            } catch (NoSuchFileException missing) {
                throw CommandFailure.failed("there is no file " + file, "--workload takes a trace");
            } catch (IOException unreadable) {
                throw CommandFailure.failed(file + " cannot be read: " + unreadable, "");
            }
        }
        return read;
    }

    /** The given parameters of the run. */
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

    /** The run with these parameters, after checking that all names are known and all values possible. */
    static RunParameters parameters(RunDraft draft, Experiments experiments, SchedulerTypes types) {
        return Impossible.answered(() -> {
            RunParameters parameters = draft.build();
            RunParameters unused = experiments.architecture(parameters).adopt(parameters);
            for (Workload workload : Workload.values()) {
                checkKnown(parameters.setUp(workload).schedulers(), types);
            }
            return parameters;
        });
    }

    /** Creates a scheduler on trial, so that an unknown option is reported before the run. */
    private static void checkKnown(SchedulerChoice choice, SchedulerTypes types) {
        Scheduler<?> unused =
                SchedulerSetting.of(types, choice.type(), choice.options()).create();
    }
}
