package dev.cella.client.access;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;

/** The parts of DER (X.690) that a certificate needs. */
final class Der {
    private static final int SEQUENCE = 0x30;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return value(SEQUENCE, join(parts));
    }

    static byte[] integer(BigInteger number) {
        return value(0x02, number.toByteArray());
    }

    static byte[] isTrue() {
        return value(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] bits(int unused, byte... bytes) {
        return value(0x03, join(new byte[] {(byte) unused}, bytes));
    }

    static byte[] octets(byte[] bytes) {
        return value(0x04, bytes);
    }

    /** RFC 5280 requires the older form before 2050; every reader of today accepts both. */
    static byte[] time(Instant time) {
        String text = TIME.format(time);
        return text.compareTo("2050") < 0
                ? value(0x17, text.substring(2).getBytes(StandardCharsets.US_ASCII))
                : value(0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Such as {@code 1.2.840.10045.4.3.2}. */
    static byte[] objectId(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int place = 2; place < arcs.length; place++) {
            writeArc(out, Long.parseLong(arcs[place]));
        }
        return value(0x06, out.toByteArray());
    }

    private static void writeArc(ByteArrayOutputStream out, long arc) {
        Deque<Integer> digits = new ArrayDeque<>();
        for (long rest = arc; digits.isEmpty() || rest > 0; rest >>>= 7) {
            digits.push((int) (rest & 0x7f) | (digits.isEmpty() ? 0 : 0x80));
        }
        digits.forEach(out::write);
    }

    /** A value with parts of its own, under a tag whose meaning depends on its place. */
    static byte[] tagged(int number, byte[] content) {
        return value(0xa0 | number, content);
    }

    /** The same for plain bytes. */
    static byte[] plainTagged(int number, byte[] content) {
        return value(0x80 | number, content);
    }

    private static byte[] value(int tag, byte[] content) {
        return join(new byte[] {(byte) tag}, length(content.length), content);
    }

    private static byte[] length(int length) {
        if (length < 0x80) {
            return new byte[] {(byte) length};
        }
        return length < 0x100
                ? new byte[] {(byte) 0x81, (byte) length}
                : new byte[] {(byte) 0x82, (byte) (length >> 8), (byte) length};
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
