package dev.cella.transactions.codec;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Appends values to a growing array of bytes. Whole numbers take seven bits per byte, least significant first (varints).
 * Numbers that may be negative are folded first, so that small ones stay short.
 */
public final class ByteWriter {
    private byte[] bytes = new byte[256];
    private int length;

    public int length() {
        return length;
    }

    /** Drops everything from {@code length} on. */
    public void truncate(int newLength) {
        length = newLength;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    public void writeByte(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    public void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    /** Four bytes, the most significant first. */
    public void writeFixedInt(int value) {
        reserve(Integer.BYTES);
        putFixedInt(length, value);
        length += Integer.BYTES;
    }

    /** Eight bytes, the most significant first. */
    public void writeFixedLong(long value) {
        writeFixedInt((int) (value >>> 32));
        writeFixedInt((int) value);
    }

    /** Overwrites four bytes that were written before. */
    public void putFixedInt(int at, int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    public void writeVarint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /** A number that may be negative. */
    public void writeSigned(long value) {
        writeVarint(value << 1 ^ value >> 63);
    }

    public void writeText(String text) {
        writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the length of the bytes, then the bytes. */
    public void writeBytes(byte[] value) {
        writeVarint(value.length);
        writeRaw(value);
    }

    public void writeRaw(byte[] value) {
        reserve(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
    }

    /** Appends a copy of {@code count} bytes from {@code from} on. If fewer were written, those repeat. */
    public void writeAgain(int from, int count) {
        checkInvariant(from < length || count == 0, "from %s on nothing was written that could be again", from);
        reserve(count);
        int end = length + count;
        while (length < end) {
            int copied = Math.min(end - length, length - from);
            System.arraycopy(bytes, from, bytes, length, copied);
            length += copied;
        }
    }

    /** Appends everything that another writer holds. */
    public void writeFrom(ByteWriter other) {
        reserve(other.length);
        System.arraycopy(other.bytes, 0, bytes, length, other.length);
        length += other.length;
    }

    /** Inserts the length of the bytes from {@code from} on before them. */
    public void insertLength(int from) {
        int inserted = length - from;
        int more = lengthOfVarint(inserted);
        reserve(more);
        System.arraycopy(bytes, from, bytes, from + more, inserted);
        length = from;
        writeVarint(inserted);
        length += inserted;
    }

    private static int lengthOfVarint(int value) {
        return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
