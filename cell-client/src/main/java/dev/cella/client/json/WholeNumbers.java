package dev.cella.client.json;

import dev.cella.client.json.Scalar.Kind;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Whole numbers in JSON: exact below 2^53, which every reader of JSON supports. */
final class WholeNumbers {
    /** The largest number that a double, and so every JSON library, represents exactly. */
    static final long MAX = (1L << 53) - 1;

    private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,4})?");
    private static final Pattern DIGITS = Pattern.compile("-?(0|[1-9][0-9]*)");
    private static final int DIGITS_MAX = 40;

    private WholeNumbers() {}

    static boolean isJsonNumber(String text) {
        return JSON_NUMBER.matcher(text).matches();
    }

    /**
     * Reads a number.
     *
     * @param max the largest number that the type can hold
     * @param told the largest sensible number, which the message about a larger one names
     */
    static long read(Scalar scalar, long max, long told, boolean negativeToo) throws Misfit {
        long number = exact(scalar, max, told);
        if (number < 0 && !negativeToo) {
            throw new Misfit("must not be negative, is " + number);
        }
        return number;
    }

    private static long exact(Scalar scalar, long max, long told) throws Misfit {
        Pattern form = scalar.kind() == Kind.NUMBER ? JSON_NUMBER : DIGITS;
        String text = scalar.text();
        if (scalar.kind() == Kind.BOOLEAN
                || scalar.kind() == Kind.NULL
                || !form.matcher(text).matches()) {
            throw new Misfit("must be a whole number, is " + scalar.shown());
        }
        if (text.length() > DIGITS_MAX) {
            throw tooLarge(scalar, told);
        }
        BigDecimal number = new BigDecimal(text);
        if (number.abs().compareTo(BigDecimal.valueOf(max)) > 0) {
            throw tooLarge(scalar, told);
        }
        if (number.stripTrailingZeros().scale() > 0) {
            throw new Misfit("must be a whole number, is " + scalar.shown());
        }
        return number.longValueExact();
    }

    private static Misfit tooLarge(Scalar scalar, long max) {
        return new Misfit("is too large: " + scalar.shown() + ", at most " + max);
    }
}
