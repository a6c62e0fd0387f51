package dev.cella.cli.bench;

import dev.cella.cli.terminal.CommandFailure;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The size of a measured cell, the duration of each load, and the format of the answer. */
final class BenchLoad {
    @Option(
            names = "--machines",
            paramLabel = "N",
            defaultValue = "2000",
            description = "machines of the cell (default: ${DEFAULT-VALUE})")
    private int machines;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            description = "each load is measured, once it is warm (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    /** Refuses a load that measures nothing, and suggests a command that does. */
    void check(String example) {
        if (machines < 1 || seconds < 1) {
            throw CommandFailure.usage("there is at least one machine and one second", example);
        }
    }

    int machines() {
        return machines;
    }

    Duration duration() {
        return Duration.ofSeconds(seconds);
    }

    BenchFormat format() {
        return format;
    }
}
