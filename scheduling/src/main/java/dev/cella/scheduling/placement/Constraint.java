package dev.cella.scheduling.placement;

import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A condition on one attribute of a machine. A machine without the attribute meets only {@code ne}, {@code notIn} and {@code
 * absent}.
 *
 * <p>A regular expression must match the whole value. It is RE2's kind: its time is linear in the value, so no job can block a
 * scheduler with one.
 */
public record Constraint(String attribute, Operator operator, List<String> values) {
    public Constraint {
        if (attribute.isEmpty()) {
            throw new IllegalArgumentException("a constraint names an attribute");
        }
        values = List.copyOf(values);
        checkCount(operator, values.size());
    }

    private static void checkCount(Operator operator, int count) {
        boolean sound = switch (operator) {
            case EQ, NE, GT, LT, MATCHES -> count == 1;
            case IN, NOT_IN -> count >= 1;
            case EXISTS, ABSENT -> count == 0;
        };
        if (!sound) {
            throw new IllegalArgumentException(operator.word() + " does not take " + count + " values");
        }
    }

    public static Constraint of(String attribute, Operator operator, String... values) {
        return new Constraint(attribute, operator, List.of(values));
    }

    /** Returns whether a machine without the attribute meets it. */
    public boolean acceptsAbsence() {
        return switch (operator) {
            case NE, NOT_IN, ABSENT -> true;
            case EQ, IN, GT, LT, EXISTS, MATCHES -> false;
        };
    }

    /** The test for values of the attribute, prepared for many calls. */
    Predicate<String> test() {
        return switch (operator) {
            case EQ -> values.get(0)::equals;
            case NE -> value -> !value.equals(values.get(0));
            case IN -> in(values);
            case NOT_IN -> Predicate.not(in(values));
            case GT -> value -> compare(value, 1);
            case LT -> value -> compare(value, -1);
            case EXISTS -> value -> true;
            case ABSENT -> value -> false;
            case MATCHES -> Pattern.compile(values.get(0))::matches;
        };
    }

    private static Predicate<String> in(List<String> values) {
        Set<String> set = new HashSet<>(values);
        return set::contains;
    }

    private boolean compare(String value, int sign) {
        Optional<BigDecimal> bound = number(values.get(0));
        return number(value).flatMap(has -> bound.map(has::compareTo)).orElse(0) == sign;
    }

    /** A value that is no number is neither greater nor less than a number. */
    private static Optional<BigDecimal> number(String text) {
        try {
            return Optional.of(new BigDecimal(text));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    /** The form in a reason: {@code rack=r1}, {@code disk in ssd,nvme}, {@code nic exists}. */
    public String text() {
        return attribute + operator.sign() + String.join(",", values);
    }

    @Override
    public String toString() {
        return text();
    }
}
