package dev.cella.transactions.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads what a {@link ByteWriter} wrote, from a range of an array. Never reads past the end of the range: damaged bytes cause
 * an exception that names the position.
 */
public final class ByteReader {
    private final byte[] bytes;
    private final int from;
    private final int end;
    private int at;

    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public ByteReader(byte[] bytes, int from, int length) {
        this.bytes = bytes;
        this.from = from;
        this.end = from + length;
        this.at = from;
    }

    /** How many bytes were read. */
    public int offset() {
        return at - from;
    }

    public int remaining() {
        return end - at;
    }

    public boolean hasRemaining() {
        return at < end;
    }

    public int readByte() {
        need(1, "a byte");
        return bytes[at++] & 0xFF;
    }

    /** Skips the next byte if it equals {@code value}. Returns whether it did. */
    public boolean skipByte(int value) {
        boolean skips = at < end && bytes[at] == value;
        at += skips ? 1 : 0;
        return skips;
    }

    public boolean readBoolean() {
        int value = readByte();
        if (value > 1) {
            throw damaged("not a boolean: " + value);
        }
        return value == 1;
    }

    public int readFixedInt() {
        need(Integer.BYTES, "four bytes");
        int value =
                bytes[at] << 24 | (bytes[at + 1] & 0xFF) << 16 | (bytes[at + 2] & 0xFF) << 8 | (bytes[at + 3] & 0xFF);
        at += Integer.BYTES;
        return value;
    }

    public long readFixedLong() {
        return (long) readFixedInt() << 32 | (readFixedInt() & 0xFFFFFFFFL);
    }

    public long readVarint() {
        if (at < end && bytes[at] >= 0) {
            return bytes[at++];
        }
        return readLongVarint();
    }

    private long readLongVarint() {
        long value = 0;
        int next = at;
        for (int shift = 0; shift < 64; shift += 7) {
            if (next == end) {
                at = end;
                throw damaged("ends where a byte should be");
            }
            int each = bytes[next++];
            value |= (each & 0x7FL) << shift;
            if (each >= 0) {
                at = next;
                return value;
            }
        }
        at = next;
        throw damaged("a number of more than ten bytes");
    }

    public long readSigned() {
        long folded = readVarint();
        return folded >>> 1 ^ -(folded & 1);
    }

    /** A number that is not negative and fits an int. */
    public int readInt() {
        long value = readVarint();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw damaged("a number out of range: " + value);
        }
        return (int) value;
    }

    /**
     * A number of items that follow. Each takes at least {@code bytesEach} bytes, so a number that cannot fit is damage.
     */
    public int readCount(int bytesEach) {
        int count = readInt();
        if ((long) count * bytesEach > remaining()) {
            throw damaged(count + " things announced in " + remaining() + " bytes");
        }
        return count;
    }

    public String readText() {
        int length = readCount(1);
        return isAscii(length) ? readAscii(length) : readUtf8(length);
    }

    /**
     * Skips a text of {@code lengthMin} to {@code lengthMax} ASCII characters and returns true. For any other text it returns
     * false and skips nothing.
     */
    public boolean skipAscii(int lengthMin, int lengthMax) {
        int before = at;
        int length = readCount(1);
        boolean skips = length >= lengthMin && length <= lengthMax && isAscii(length);
        at = skips ? at + length : before;
        return skips;
    }

    private boolean isAscii(int length) {
        int or = 0;
        for (int offset = at; offset < at + length; offset++) {
            or |= bytes[offset];
        }
        return or >= 0;
    }

    private String readAscii(int length) {
        String text = new String(bytes, at, length, StandardCharsets.US_ASCII);
        at += length;
        return text;
    }

    private String readUtf8(int length) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, at, length))
                    .toString();
            at += length;
            return text;
        } catch (CharacterCodingException notUtf8) {
            throw damaged("text that is not UTF-8");
        }
    }

    public byte[] readBytes() {
        int length = readCount(1);
        byte[] value = new byte[length];
        System.arraycopy(bytes, at, value, 0, length);
        at += length;
        return value;
    }

    /** A reader of the next {@code length} bytes, which this one skips. */
    public ByteReader readSlice(int length) {
        need(length, length + " bytes");
        ByteReader slice = new ByteReader(bytes, at, length);
        at += length;
        return slice;
    }

    /** Throws if any bytes are left. */
    public void expectEnd(String what) {
        if (at != end) {
            throw damaged(remaining() + " bytes too many after " + what);
        }
    }

    public DamagedBytesException damaged(String what) {
        return new DamagedBytesException(what, offset());
    }

    private void need(int count, String what) {
        if (count < 0 || end - at < count) {
            throw damaged("ends where " + what + " should be");
        }
    }
}
