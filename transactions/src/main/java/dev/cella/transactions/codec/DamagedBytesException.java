package dev.cella.transactions.codec;

/** Bytes that are not what they should be: says what is wrong with them, and where. */
public final class DamagedBytesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is wrong, and where: counted from the first byte of what was read. */
    public DamagedBytesException(String what, int offset) {
        super(what + " (at byte " + offset + ")");
    }
}
