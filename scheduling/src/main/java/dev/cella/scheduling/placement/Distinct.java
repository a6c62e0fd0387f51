package dev.cella.scheduling.placement;

/** A must: at most {@code max} tasks of the group on machines with the same value of the attribute. */
public record Distinct(String attribute, int max) {
    public Distinct {
        if (attribute.isEmpty() || max < 1) {
            throw new IllegalArgumentException("distinct names an attribute and at least 1 task, not " + max);
        }
    }

    /** The form in a reason. */
    public String text() {
        return "distinct " + attribute + " (max " + max + ")";
    }
}
