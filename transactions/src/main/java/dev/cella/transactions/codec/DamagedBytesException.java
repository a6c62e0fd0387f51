package dev.cella.transactions.codec;

/** Damaged bytes: the message says what is wrong and where. */
public final class DamagedBytesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param what what is wrong
     * @param offset where, counted from the first byte that was read
     */
    public DamagedBytesException(String what, int offset) {
        super(what + " (at byte " + offset + ")");
    }
}
