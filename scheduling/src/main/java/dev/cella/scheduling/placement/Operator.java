package dev.cella.scheduling.placement;

import java.util.Optional;

/** The comparison of a {@link Constraint}; the names are those of the job file. */
public enum Operator {
    EQ("eq", "="),
    NE("ne", "!="),
    IN("in", " in "),
    NOT_IN("notIn", " notIn "),
    GT("gt", ">"),
    LT("lt", "<"),
    EXISTS("exists", " exists"),
    ABSENT("absent", " absent"),
    MATCHES("matches", " matches ");

    private final String word;
    private final String sign;

    Operator(String word, String sign) {
        this.word = word;
        this.sign = sign;
    }

    /** The name in a job file. */
    public String word() {
        return word;
    }

    /** The sign in a reason, between the attribute and the value. */
    String sign() {
        return sign;
    }

    public static Optional<Operator> ofWord(String word) {
        for (Operator operator : values()) {
            if (operator.word.equals(word)) {
                return Optional.of(operator);
            }
        }
        return Optional.empty();
    }
}
