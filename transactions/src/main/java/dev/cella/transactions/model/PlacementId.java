package dev.cella.transactions.model;

/**
 * The permanent identity of a placement: the cell version of the transaction that made it and the place of the claim in that
 * transaction. The text form is {@code version.ordinal}.
 */
public record PlacementId(long version, int ordinal) {
    public PlacementId {
        check(version, ordinal);
    }

    static void check(long version, int ordinal) {
        if (version <= 0 || ordinal < 0) {
            throw new IllegalArgumentException("not a placement: " + version + "." + ordinal);
        }
    }

    /** Parses the text that {@link #toString} writes. */
    public static PlacementId parse(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("a placement reads VERSION.ORDINAL, not " + text);
        }
        return new PlacementId(Long.parseLong(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
    }

    @Override
    public String toString() {
        return version + "." + ordinal;
    }
}
