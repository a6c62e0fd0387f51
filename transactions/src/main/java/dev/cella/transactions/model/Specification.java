package dev.cella.transactions.model;

import java.util.Arrays;

/**
 * The part of a job that only its scheduler and its agents read. To the cell it is bytes, which it stores, returns and
 * compares.
 */
public final class Specification {
    public static final int BYTES_MAX = 1 << 20;

    public static final Specification EMPTY = new Specification(new byte[0]);

    private final byte[] bytes;

    /**
     * 0 until it is first asked for. It is kept because the row of a job asks again after each copy and each scale, and a large
     * specification takes a millisecond.
     */
    private volatile long digest;

    private Specification(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Specification of(byte[] bytes) {
        if (bytes.length > BYTES_MAX) {
            throw new IllegalArgumentException("a specification has at most " + BYTES_MAX + " bytes");
        }
        return bytes.length == 0 ? EMPTY : new Specification(bytes.clone());
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /** Writes the bytes into {@code target}, from that place on. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, bytes.length);
    }

    public int length() {
        return bytes.length;
    }

    public long digest() {
        long known = digest;
        if (known == 0) {
            known = Digests.of(bytes);
            digest = known;
        }
        return known;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Specification that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
