package dev.cella.cli.pool;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Operator;

/** Parses a condition on machines: {@code attribute=value} or {@code attribute!=value}. */
public final class AttributeRule {
    private AttributeRule() {}

    /**
     * The parsed condition.
     *
     * @param said where it was given, for the beginning of a message about it
     * @param hint what to do about it
     */
    public static Constraint parse(String said, String text, String hint) {
        int equals = text.indexOf('=');
        boolean not = equals > 0 && text.charAt(equals - 1) == '!';
        if (equals < 1 || (not && equals < 2)) {
            throw CommandFailure.usage(said + " must be attribute=value or attribute!=value, is " + text, hint);
        }
        String attribute = text.substring(0, not ? equals - 1 : equals);
        return Constraint.of(attribute, not ? Operator.NE : Operator.EQ, text.substring(equals + 1));
    }
}
