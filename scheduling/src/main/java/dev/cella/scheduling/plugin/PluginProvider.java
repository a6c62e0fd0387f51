package dev.cella.scheduling.plugin;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.loop.AuthorsCode;
import dev.cella.transactions.model.Labels;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/** A third-party provider: its answers are read once and checked, and its exceptions name its jar. */
final class PluginProvider implements SchedulerProvider {
    private final Path file;
    private final SchedulerProvider provider;
    private final String type;
    private final List<SchedulerOption> options;

    PluginProvider(Path file, SchedulerProvider provider) {
        this.file = file;
        this.provider = provider;
        this.type = answered("type()", provider::type);
        this.options = answered("options()", () -> List.copyOf(provider.options()));
        checkType();
        checkOptions();
    }

    private void checkType() {
        try {
            Labels.checkName("scheduler type", type);
        } catch (IllegalArgumentException noName) {
            throw new PluginRefusedException(
                    file + ": " + noName.getMessage(),
                    "have type() of " + className() + " answer one that does",
                    noName);
        }
    }

    private void checkOptions() {
        Set<String> names = new HashSet<>();
        for (SchedulerOption option : options) {
            if (!names.add(option.name())) {
                throw new PluginRefusedException(
                        file + ": type " + type + " has two options " + option.name(),
                        "rename one in options() of " + className());
            }
        }
    }

    @Override
    public String type() {
        return type;
    }

    @Override
    public List<SchedulerOption> options() {
        return options;
    }

    /** An {@link IllegalArgumentException} is about a value that the user set, so it is passed on. */
    @Override
    public Scheduler<?> create(SchedulerOptions set) {
        return AuthorsCode.call(() -> Objects.requireNonNull(provider.create(set), "its answer is null"), fault -> {
            if (fault instanceof IllegalArgumentException wrongValue) {
                throw wrongValue;
            }
            throw fault(file, className() + ".create(" + set + ")", fault);
        });
    }

    private <T> T answered(String question, Supplier<T> answer) {
        return AuthorsCode.call(() -> Objects.requireNonNull(answer.get(), "its answer is null"), fault -> {
            throw fault(file, className() + "." + question, fault);
        });
    }

    private String className() {
        return provider.getClass().getName();
    }

    /** The refusal for an exception from a class of the jar, with the called method. */
    static PluginRefusedException fault(Path file, String called, Throwable fault) {
        if (fault instanceof LinkageError && !(fault instanceof ExceptionInInitializerError)) {
            return new PluginRefusedException(
                    file + ": " + called + " needs what it does not see: " + fault,
                    "a plug-in sees the JDK, slf4j, cella-transactions and the package dev.cella.scheduling; pack other"
                            + " libraries into its jar",
                    fault);
        }
        Throwable thrown = fault.getCause() == null ? fault : fault.getCause();
        return new PluginRefusedException(
                file + ": " + called + " throws " + thrown, "mend it there; a test of that class would show it", fault);
    }
}
