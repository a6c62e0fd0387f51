package dev.cella.scheduling.placement;

import java.util.Optional;

/** How a {@link Constraint} looks at an attribute; the words of the job file. */
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

    /** As a job file writes it. */
    public String word() {
        return word;
    }

    /** As a reason shows it, between the attribute and the value. */
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
