package dev.cella.client.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The secret of a token: {@code cella_CELL_RANDOM}. It names its cell, so that a token of another cell can be distinguished
 * from a revoked one. The cell stores only its hash. The random part has 256 bits, so a plain hash cannot be reversed by
 * guessing.
 */
public final class TokenSecret {
    private static final int RANDOM_BYTES = 32;
    private static final Pattern FORM = Pattern.compile("cella_([a-z0-9.-]{1,63})_[A-Za-z0-9_-]{43}");

    private TokenSecret() {}

    /**
     * Makes a secret.
     *
     * @param random must be unpredictable
     */
    public static String make(String cell, RandomGenerator random) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return "cella_" + cell + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The cell that the secret was made for; empty if it is no secret of a token. */
    public static Optional<String> cell(String secret) {
        Matcher form = FORM.matcher(secret);
        return form.matches() ? Optional.of(form.group(1)) : Optional.empty();
    }

    /** SHA-256 in lower-case hex. */
    public static String hash(String secret) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
