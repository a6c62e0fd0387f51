package dev.cella.transactions.model;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one attribute of a machine, which must hold before a scheduler may place tasks on it. It means the same as a
 * constraint of the job file. There are no regular expressions, because the commit checks these rules for each claim.
 */
public record MachineRule(String attribute, Operator operator, List<String> values) {
    /** An attribute that every machine has: its name. */
    public static final String MACHINE = "machine";

    private static final int VALUES_MAX = 1_000;
    private static final int TEXT_MAX = 4_096;

    /** The comparison with the attribute. */
    public enum Operator {
        EQ,
        NE,
        IN,
        NOT_IN,
        GT,
        LT,
        EXISTS,
        ABSENT
    }

    public MachineRule {
        values = List.copyOf(values);
        if (attribute.isEmpty() || attribute.length() > TEXT_MAX) {
            throw new IllegalArgumentException("a rule names an attribute of 1 to " + TEXT_MAX + " characters");
        }
        if (values.size() > VALUES_MAX || values.stream().anyMatch(value -> value.length() > TEXT_MAX)) {
            throw new IllegalArgumentException(
                    "a rule has at most " + VALUES_MAX + " values of at most " + TEXT_MAX + " characters");
        }
        checkValues(operator, values);
    }

    private static void checkValues(Operator operator, List<String> values) {
        boolean sound = switch (operator) {
            case EQ, NE -> values.size() == 1;
            case GT, LT -> values.size() == 1 && number(values.get(0)).isPresent();
            case IN, NOT_IN -> !values.isEmpty();
            case EXISTS, ABSENT -> values.isEmpty();
        };
        if (!sound) {
            throw new IllegalArgumentException(operator + " does not take the values " + values);
        }
    }

    /** Returns whether a machine with this value of the attribute meets it; null if it has none. */
    public boolean accepts(@Nullable String value) {
        return switch (operator) {
            case EQ -> values.get(0).equals(value);
            case NE -> !values.get(0).equals(value);
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case GT -> value != null && compare(value) > 0;
            case LT -> value != null && compare(value) < 0;
            case EXISTS -> value != null;
            case ABSENT -> value == null;
        };
    }

    /** A value that is no number is neither greater nor less than a number. */
    private int compare(String value) {
        return number(value)
                .flatMap(has -> number(values.get(0)).map(has::compareTo))
                .orElse(0);
    }

    private static Optional<BigDecimal> number(String text) {
        try {
            return text.length() > 40 ? Optional.empty() : Optional.of(new BigDecimal(text));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    long digest() {
        long digest = Digests.mix(Digests.of(attribute), Digests.of(operator.name()));
        for (String value : values) {
            digest = Digests.mix(digest, Digests.of(value));
        }
        return digest;
    }
}
