package dev.cella.transactions.model;

/**
 * Digests of 64 bits. They distinguish values that differ by accident. They do not protect against somebody who searches for
 * two values with one digest.
 */
public final class Digests {
    private static final long SEED = 0x9E3779B97F4A7C15L;

    /** The digest of {@code soFar} followed by {@code value}. */
    public static long mix(long soFar, long value) {
        long mixed = (soFar + SEED) ^ value;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    public static long of(String text) {
        long digest = text.length();
        for (int i = 0; i < text.length(); i++) {
            digest = digest * 0x100000001B3L + text.charAt(i);
        }
        return mix(SEED, digest);
    }

    public static long of(byte[] bytes) {
        long digest = bytes.length;
        for (byte each : bytes) {
            digest = mix(digest, each);
        }
        return digest;
    }

    private Digests() {}
}
