package dev.cella.transactions.model;

import java.nio.charset.StandardCharsets;

/**
 * The name a client chose for a transaction, so that a retry is recognised and never executed twice. At most 64 bytes of
 * UTF-8, no control characters.
 */
public record TransactionId(String text) {
    public static final int BYTES_MAX = 64;

    public TransactionId {
        if (text.isEmpty() || text.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
            throw new IllegalArgumentException("a transaction id has 1 to " + BYTES_MAX + " bytes: " + text);
        }
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a transaction id has no control characters");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
