package dev.cella.transactions.model;

import java.util.Arrays;

/** The notes of a scheduler about a job. To the cell they are bytes, which it stores and returns to the scheduler. */
public final class Progress {
    public static final int BYTES_MAX = 4_096;

    public static final Progress NONE = new Progress(new byte[0]);

    private final byte[] bytes;

    private Progress(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Progress of(byte[] bytes) {
        if (bytes.length > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a scheduler's progress has at most " + BYTES_MAX + " bytes a job, not " + bytes.length);
        }
        return bytes.length == 0 ? NONE : new Progress(bytes.clone());
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    public long digest() {
        return Digests.of(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Progress that && Arrays.equals(bytes, that.bytes);
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
