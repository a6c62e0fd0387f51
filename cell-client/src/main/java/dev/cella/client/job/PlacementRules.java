package dev.cella.client.job;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cella.client.json.Fault;
import dev.cella.client.json.NearestName;
import dev.cella.client.proto.Affinity;
import dev.cella.client.proto.Constraint;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Inputs;
import dev.cella.client.proto.Spread;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rules for a group's placement: constraints, affinities, spread, distinct and together. All is checked at the submission,
 * so that schedulers never get an expression that they cannot read.
 */
final class PlacementRules {
    private static final int LIST_MAX = 32;
    private static final int VALUES_MAX = 1_000;
    private static final int EXPRESSION_LENGTH_MAX = 256;
    private static final int EXPRESSION_SIZE_MAX = 10_000;
    private static final int NUMBER_LENGTH_MAX = 40;
    private static final int WEIGHT_MAX = 100;
    private static final int PERCENT_MAX = 100;
    private static final List<String> OPERATORS =
            List.of("eq", "ne", "in", "notIn", "gt", "lt", "exists", "absent", "matches");

    private final List<Fault> faults = new ArrayList<>();

    private PlacementRules() {}

    static List<Fault> check(String path, Group group) {
        PlacementRules rules = new PlacementRules();
        rules.checkGroup(path, group);
        return rules.faults;
    }

    private void fault(String path, String message) {
        faults.add(Fault.of(path, message));
    }

    private void checkGroup(String path, Group group) {
        checkLength(path + ".constraints", group.getConstraintsCount());
        checkLength(path + ".affinities", group.getAffinitiesCount());
        checkLength(path + ".spread", group.getSpreadCount());
        for (int index = 0; index < group.getConstraintsCount(); index++) {
            checkConstraint(path + ".constraints[" + index + "]", group.getConstraints(index));
        }
        for (int index = 0; index < group.getAffinitiesCount(); index++) {
            checkAffinity(path + ".affinities[" + index + "]", group.getAffinities(index));
        }
        for (int index = 0; index < group.getSpreadCount(); index++) {
            checkSpread(path + ".spread[" + index + "]", group.getSpread(index));
        }
        if (group.hasDistinct()) {
            checkAttribute(path + ".distinct", group.getDistinct().getAttribute());
            checkAtLeastOne(
                    path + ".distinct.max",
                    group.getDistinct().hasMax(),
                    group.getDistinct().getMax());
        }
        if (group.hasTogether()) {
            checkAttribute(path + ".together", group.getTogether().getAttribute());
        }
        checkInputs(path, group);
    }

    private void checkInputs(String path, Group group) {
        int inputs = group.getInputsCount();
        int count = group.hasCount() ? group.getCount() : 1;
        if (inputs > 1 && inputs != count) {
            fault(path + ".inputs", "must be one for all tasks or one for each of the " + count + ", are " + inputs);
        }
        for (int index = 0; index < inputs; index++) {
            Inputs input = group.getInputs(index);
            if (input.getMachinesCount() == 0 && input.getRacksCount() == 0) {
                fault(path + ".inputs[" + index + "]", "must name a machine or a rack");
            }
        }
        if (group.hasLocality() && inputs == 0) {
            fault(path + ".locality", "needs inputs: a task without them is at home everywhere");
        }
    }

    private void checkLength(String path, int length) {
        if (length > LIST_MAX) {
            fault(path, "are too many: " + length + ", at most " + LIST_MAX);
        }
    }

    private void checkAttribute(String path, String attribute) {
        if (attribute.isEmpty()) {
            fault(path + ".attribute", "must not be empty");
        }
    }

    private void checkAtLeastOne(String path, boolean given, int value) {
        if (given && value < 1) {
            fault(path, "must be at least 1, is " + value);
        }
    }

    private void checkAffinity(String path, Affinity affinity) {
        Constraint.Builder wish = Constraint.newBuilder()
                .setAttribute(affinity.getAttribute())
                .setOperator(affinity.getOperator())
                .addAllValues(affinity.getValuesList());
        if (affinity.hasValue()) {
            wish.setValue(affinity.getValue());
        }
        checkConstraint(path, wish.build());
        if (Math.abs((long) affinity.getWeight()) > WEIGHT_MAX) {
            fault(
                    path + ".weight",
                    "must be from -" + WEIGHT_MAX + " to " + WEIGHT_MAX + ", is " + affinity.getWeight());
        }
    }

    private void checkSpread(String path, Spread spread) {
        checkAttribute(path, spread.getAttribute());
        long sum = 0;
        for (Map.Entry<String, Integer> target : spread.getTargetsMap().entrySet()) {
            sum += target.getValue();
            if (target.getValue() < 0) {
                fault(path + ".targets." + target.getKey(), "must not be negative, is " + target.getValue());
            }
        }
        if (sum > PERCENT_MAX) {
            fault(path + ".targets", "are percentages that make at most 100, not " + sum);
        }
    }

    // ---- constraints

    private void checkConstraint(String path, Constraint constraint) {
        checkAttribute(path, constraint.getAttribute());
        String operator = constraint.getOperator();
        if (!OPERATORS.contains(operator)) {
            fault(path + ".operator", unknownOperator(operator));
        } else if (checkValueCount(path, constraint)) {
            checkValue(path + ".value", constraint);
        }
    }

    private static String unknownOperator(String written) {
        Optional<String> near = NearestName.to(written, OPERATORS);
        return "no such operator: \"" + written + "\", "
                + near.map(nearest -> "did you mean " + nearest + "?")
                        .orElse("it is one of " + String.join(", ", OPERATORS));
    }

    private boolean checkValueCount(String path, Constraint constraint) {
        int before = faults.size();
        String operator = constraint.getOperator();
        boolean one = constraint.hasValue();
        int several = constraint.getValuesCount();
        switch (operator) {
            case "in", "notIn" -> {
                if (one || several == 0) {
                    fault(path + ".values", "are required for " + operator + ", as a list");
                }
                if (several > VALUES_MAX) {
                    fault(path + ".values", "are too many: " + several + ", at most " + VALUES_MAX);
                }
            }
            case "exists", "absent" -> {
                if (one || several > 0) {
                    fault(path + (one ? ".value" : ".values"), operator + " takes no value");
                }
            }
            default -> {
                if (!one || several > 0) {
                    fault(path + ".value", "is required for " + operator + ", and one alone; several go with in");
                }
            }
        }
        return faults.size() == before;
    }

    private void checkValue(String path, Constraint constraint) {
        if (constraint.getOperator().equals("matches")) {
            checkExpression(path, constraint.getValue());
        } else if (constraint.getOperator().equals("gt")
                || constraint.getOperator().equals("lt")) {
            checkNumber(path, constraint.getValue());
        }
    }

    private void checkExpression(String path, String expression) {
        if (expression.length() > EXPRESSION_LENGTH_MAX) {
            fault(path, "is too long for a regular expression: at most " + EXPRESSION_LENGTH_MAX + " characters");
            return;
        }
        if (ExpressionSize.of(expression) > EXPRESSION_SIZE_MAX) {
            fault(
                    path,
                    "is too large for a regular expression: its repeats make more than " + EXPRESSION_SIZE_MAX
                            + " pieces");
            return;
        }
        try {
            Pattern.compile(expression);
        } catch (PatternSyntaxException wrong) {
            fault(
                    path,
                    "is no regular expression: " + wrong.getDescription()
                            + " (the syntax is RE2's: no look-around and no" + " back-references)");
        }
    }

    private void checkNumber(String path, String number) {
        try {
            if (number.length() <= NUMBER_LENGTH_MAX) {
                BigDecimal unused = new BigDecimal(number);
                return;
            }
        } catch (NumberFormatException notANumber) {
            fault(path, "must be a number, is \"" + number + "\"");
            return;
        }
        fault(path, "is too long for a number: at most " + NUMBER_LENGTH_MAX + " characters");
    }
}
