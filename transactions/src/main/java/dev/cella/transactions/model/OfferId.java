package dev.cella.transactions.model;

/**
 * The permanent identity of an offer: the cell version of the transaction that made it and the place of the hold in that
 * transaction. The text form is {@code version.ordinal}.
 */
public record OfferId(long version, int ordinal) implements Comparable<OfferId> {
    public OfferId {
        if (version <= 0 || ordinal < 0) {
            throw new IllegalArgumentException("not an offer: " + version + "." + ordinal);
        }
    }

    /** Parses the text that {@link #toString} writes. */
    public static OfferId parse(String text) {
        int dot = text.indexOf('.');
        try {
            return new OfferId(
                    Long.parseLong(text.substring(0, Math.max(0, dot))), Integer.parseInt(text.substring(dot + 1)));
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("an offer reads VERSION.ORDINAL, not " + text, wrong);
        }
    }

    @Override
    public int compareTo(OfferId other) {
        return version == other.version
                ? Integer.compare(ordinal, other.ordinal)
                : Long.compare(version, other.version);
    }

    @Override
    public String toString() {
        return version + "." + ordinal;
    }
}
