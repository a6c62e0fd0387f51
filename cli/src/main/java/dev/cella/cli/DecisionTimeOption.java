package dev.cella.cli;

import dev.cella.scheduling.loop.DecisionTime;
import picocli.CommandLine.TypeConversionException;

/** Parses a decision time: {@code 0.1s+5ms*tasks}. */
final class DecisionTimeOption {
    private DecisionTimeOption() {}

    static DecisionTime parse(String typed) {
        try {
            return DecisionTime.parse(typed);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
    }
}
