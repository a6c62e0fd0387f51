package dev.cella.transactions.model;

import java.nio.charset.StandardCharsets;

/**
 * The name that a client chose for a transaction, so that a retry is recognised and never executed twice. At most 64 bytes of
 * UTF-8, no control characters.
 */
public record TransactionId(String text) {
    public static final int BYTES_MAX = 64;

    public TransactionId {
        if (text.isEmpty() || text.length() > BYTES_MAX || bytes(text) > BYTES_MAX) {
            throw new IllegalArgumentException("a transaction id has 1 to " + BYTES_MAX + " bytes: " + text);
        }
        for (int at = 0; at < text.length(); at++) {
            if (Character.isISOControl(text.charAt(at))) {
                throw new IllegalArgumentException("a transaction id has no control characters");
            }
        }
    }

    /** A character outside ASCII takes more than one byte. */
    private static int bytes(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) > 0x7F) {
                return text.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return text.length();
    }

    @Override
    public String toString() {
        return text;
    }
}
