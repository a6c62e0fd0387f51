package dev.cella.transactions.model;

/**
 * The history that a version belongs to: a random number made when a cell is founded, restored, or revived without a majority.
 * {@link #UNSAID} stands for a caller that did not name one.
 */
public record Incarnation(long number) {
    public static final Incarnation UNSAID = new Incarnation(0);

    /** Reads what {@link #toString} writes. Throws {@link NumberFormatException} if the text is no such number. */
    public static Incarnation parse(String text) {
        return new Incarnation(Long.parseUnsignedLong(text, 16));
    }

    /** Returns whether a caller that means {@code this} may talk to {@code cell}. */
    public boolean accepts(Incarnation cell) {
        return number == 0 || number == cell.number;
    }

    @Override
    public String toString() {
        return Long.toHexString(number);
    }
}
