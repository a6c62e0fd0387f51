package dev.cella.transactions.model;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One row of the cell's tokens: which principal has which scopes. The cell keeps the hash of the secret, never the secret.
 *
 * <p>The doors interpret scopes and check them before a command enters the log. Here they are words.
 *
 * @param name the principal of commands that use this token
 * @param hash the SHA-256 of the secret, in lower-case hex
 * @param scopes {@code read}, {@code operate}, {@code schedule:NAME} and the like; not empty
 * @param pools that it may submit to; all pools if empty
 * @param expiresAtMillis wall time, or 0 for a token that does not expire
 */
public record Token(String name, String hash, SortedSet<String> scopes, SortedSet<String> pools, long expiresAtMillis) {
    /** The length of the hash in hex. */
    public static final int HASH_LENGTH = 64;

    private static final int WORDS_MAX = 1_000;
    private static final int SCOPE_LENGTH_MAX = 300;

    public Token {
        Labels.checkName("token", name);
        if (!isHash(hash)) {
            throw new IllegalArgumentException("a token's hash has " + HASH_LENGTH + " hexadecimal digits");
        }
        scopes = Collections.unmodifiableSortedSet(new TreeSet<>(scopes));
        pools = Collections.unmodifiableSortedSet(new TreeSet<>(pools));
        pools.forEach(Labels::checkPool);
        if (scopes.isEmpty() || scopes.size() > WORDS_MAX || pools.size() > WORDS_MAX) {
            throw new IllegalArgumentException(
                    "a token has 1 to " + WORDS_MAX + " scopes and at most as many pools, not " + scopes.size());
        }
        if (scopes.stream().anyMatch(scope -> scope.isEmpty() || scope.length() > SCOPE_LENGTH_MAX)) {
            throw new IllegalArgumentException("a scope has 1 to " + SCOPE_LENGTH_MAX + " characters");
        }
        if (expiresAtMillis < 0) {
            throw new IllegalArgumentException("a token does not expire before 1970");
        }
    }

    private static boolean isHash(String hash) {
        return hash.length() == HASH_LENGTH
                && hash.chars().allMatch(each -> (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f'));
    }

    /** Without the hash, which must stay private. */
    @Override
    public String toString() {
        return "token " + name + " " + scopes;
    }
}
